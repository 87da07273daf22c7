// In the panel of a pointer's flow: a click on a step, or Enter, goes to its place; the buttons copy the picture.
(() => {
  const editor = acquireVsCodeApi();

  for (const step of document.querySelectorAll('[data-step]')) {
    const go = () => editor.postMessage({ step: Number(step.dataset.step) });
    step.setAttribute('tabindex', '0');
    step.setAttribute('role', 'link');
    step.addEventListener('click', go);
    step.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        go();
      }
    });
  }

  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => editor.postMessage({ copy: button.dataset.copy }));
  }
})();
