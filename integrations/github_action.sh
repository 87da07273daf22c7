#!/bin/bash
# The step of action.yml: installs openclsp from the action's own checkout, and checks.
# The inputs come from the environment, so that no text of a pull request becomes a part of the script.
# OPENCLSP_PROGRAM names an installed program instead.
set -euo pipefail

program="${OPENCLSP_PROGRAM:-}"
if [ -z "$program" ]; then
    python3 -m venv "$RUNNER_TEMP/openclsp"
    # Without compiled modules: installing takes seconds instead of minutes, and the answers are the same.
    OPENCLSP_COMPILE=0 "$RUNNER_TEMP/openclsp/bin/pip" install --quiet "$GITHUB_ACTION_PATH"
    program="$RUNNER_TEMP/openclsp/bin/openclsp"
fi

# The non-empty lines of $1, in the array `lines`.
split_lines() {
    lines=()
    local line
    while IFS= read -r line; do
        if [ -n "$line" ]; then
            lines+=("$line")
        fi
    done <<<"$1"
}

arguments=(check --fail-on "${OPENCLSP_FAIL_ON:-error}")
if [ -n "${OPENCLSP_SARIF:-}" ]; then
    arguments+=(--format sarif --output "$OPENCLSP_SARIF")
else
    arguments+=(--format github)
fi
if [ -n "${OPENCLSP_CHANGED_SINCE:-}" ]; then
    arguments+=("--changed-since=$OPENCLSP_CHANGED_SINCE")
fi
split_lines "${OPENCLSP_OPTIONS:-}"
arguments+=(${lines[@]+"${lines[@]}"})
split_lines "${OPENCLSP_PATHS:-.}"
exec "$program" "${arguments[@]}" -- ${lines[@]+"${lines[@]}"}
