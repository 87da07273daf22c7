// Script of the flow panel: a click on a step, or Enter, goes to its location; the buttons copy the diagram, and
// the box requests every chain.
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

  const everyChain = document.getElementById('every-chain');
  everyChain.addEventListener('change', () => editor.postMessage({ everyChain: everyChain.checked }));
})();
