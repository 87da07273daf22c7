// Script of the flow panel: a click on a step, or Enter, goes to its location; the buttons zoom and copy the diagram, the box requests
// every chain. Ctrl and the mouse wheel zoom too. The panel's width is reported, so that the diagram is wrapped to it.
(() => {
  const editor = acquireVsCodeApi();
  const STEP = 1.2;
  const SMALLEST = 0.2;
  const LARGEST = 5;

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

  const picture = document.querySelector('.picture');
  const drawing = picture.querySelector('svg');
  const whole = Number(drawing.getAttribute('width'));
  const fitting = () => Math.min(1, picture.clientWidth / whole);
  // Undefined: fitted to the width.
  let scale = editor.getState()?.scale;
  const draw = () => {
    drawing.style.width = `${whole * (scale ?? fitting())}px`;
    editor.setState({ scale });
  };
  const zoom = (factor) => {
    scale = Math.min(Math.max((scale ?? fitting()) * factor, SMALLEST), LARGEST);
    draw();
  };
  const zooms = {
    in: () => zoom(STEP),
    out: () => zoom(1 / STEP),
    fit: () => {
      scale = undefined;
      draw();
    },
  };
  for (const button of document.querySelectorAll('[data-zoom]')) {
    button.addEventListener('click', zooms[button.dataset.zoom]);
  }
  picture.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        zoom(event.deltaY < 0 ? STEP : 1 / STEP);
      }
    },
    { passive: false },
  );

  let timer;
  const report = () => {
    draw();
    clearTimeout(timer);
    timer = setTimeout(() => editor.postMessage({ width: picture.clientWidth, drawing: whole }), 200);
  };
  new ResizeObserver(report).observe(document.body);
})();
