import * as vscode from 'vscode';

export const OPEN_SAMPLE = 'openclsp.openSample';

/** OpenCL C 2.0, because of `work_group_barrier`: a kernel with one error, and a generic pointer that two kinds of memory reach. */
const SAMPLE = `// Point at a name to see its address space. Ctrl+. at the underlined name offers fixes.
float first(const float *values) {
    return values[0];
}

kernel void blur(global const float *image, global float *result, local float *tile) {
    size_t i = get_global_id(0);
    tile[get_local_id(0)] = image[i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    local const float *row = image;
    const float *source = image;
    if (i % 2) {
        source = tile;
    }
    result[i] = first(tile) + first(image) + row[0] + *source;
}
`;

/** Opens the sample as an unsaved document. */
export async function openSample(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'opencl', content: SAMPLE }));
}
