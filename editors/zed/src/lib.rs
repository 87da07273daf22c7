//! Starts the language server openclsp for OpenCL C, and passes the user's settings to it.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result};

/// The name in `extension.toml`, in Zed's settings, and of the settings section that the server requests.
const SERVER: &str = "openclsp";

struct OpenclExtension;

impl zed::Extension for OpenclExtension {
    fn new() -> Self {
        Self
    }

    /// Returns the server on the PATH. Zed itself uses `lsp.openclsp.binary` of the settings, and then does not ask.
    fn language_server_command(
        &mut self,
        _server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let command = worktree.which(SERVER).ok_or_else(|| {
            "openclsp is not on the PATH: install it, or set \"lsp\": {\"openclsp\": {\"binary\": {\"path\": …, \
             \"arguments\": [\"server\"]}}} in the settings of Zed"
                .to_string()
        })?;
        Ok(zed::Command {
            command,
            args: vec!["server".to_string()],
            env: worktree.shell_env(),
        })
    }

    /// Returns `lsp.openclsp.settings` as the section that the server requests.
    fn language_server_workspace_configuration(
        &mut self,
        _server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(SERVER, worktree)?.settings;
        Ok(settings.map(|settings| serde_json::json!({ SERVER: settings })))
    }
}

zed::register_extension!(OpenclExtension);
