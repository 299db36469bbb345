import { connectSealwright, explain, serveSealwright } from './sealwright.js';

const PERMISSION = {
  purpose: 'Keep your lines sealed, and look for words in them',
  capabilities: ['seal', 'open'],
};

const element = (id) => document.getElementById(id);
const [connect, lines, seal, words] = ['connect', 'lines', 'seal', 'words'].map(element);
const [found, message] = ['found', 'message'].map(element);

const worker = new Worker('worker.js', { type: 'module' });

connect.onclick = () =>
  saying(async () => {
    const { sealwright } = await connectSealwright(PERMISSION);
    const { port1, port2 } = new MessageChannel();
    serveSealwright(sealwright, port1);
    await ask('begin', port2, [port2]);
    connect.disabled = true;
    lines.disabled = seal.disabled = words.disabled = false;
    return 'Write a few lines.';
  });

seal.onclick = () =>
  saying(async () => {
    const count = await ask('seal', lines.value.split('\n').filter(Boolean));
    lines.value = '';
    return `Sealed, ${count} lines in all.`;
  });

words.oninput = () =>
  saying(async () => {
    const wanted = words.value;
    const texts = wanted === '' ? [] : await ask('find', wanted);
    // Of answers that overtake each other, the one to what stands there counts.
    if (wanted !== words.value) return message.textContent;
    found.replaceChildren(
      ...texts.map((textContent) => Object.assign(document.createElement('li'), { textContent })),
    );
    return `${texts.length} found.`;
  });

/** What the worker answers to a task. Each has a port of its own to answer on. */
function ask(task, data, transfer = []) {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ task, data, answer: port2 }, [port2, ...transfer]);
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data: { value, failure } }) => {
      port1.close();
      if (failure === undefined) resolve(value);
      else reject(new Error(failure));
    };
  });
}

async function saying(work) {
  try {
    message.textContent = await work();
  } catch (error) {
    message.textContent = explain(error);
  }
}
