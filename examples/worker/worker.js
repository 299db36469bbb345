import { explain, sealwrightOver } from './sealwright.js';

/* Seals lines, keeps them sealed, and opens them to look for words. */
let sealwright;
const sealed = [];

const TASKS = {
  async begin(port) {
    sealwright = await sealwrightOver(port);
  },

  async seal(lines) {
    sealed.push(...(await sealwright.sealMany(lines)).map(valueOf));
    return sealed.length;
  },

  async find(words) {
    const lines = (await sealwright.openMany(sealed)).map(valueOf);
    return lines
      .map((line) => new TextDecoder().decode(line))
      .filter((line) => line.includes(words));
  },
};

addEventListener('message', async ({ data: { task, data, answer } }) => {
  try {
    answer.postMessage({ value: await TASKS[task](data) });
  } catch (error) {
    answer.postMessage({ failure: explain(error) });
  }
});

function valueOf({ ok, value, error }) {
  if (!ok) throw error;
  return value;
}
