/* Passes a page's bytes on, one way or the other, and hands the answer back. */
const { structuredClone } = globalThis;
const api = globalThis.browser ?? globalThis.chrome;

globalThis.addEventListener('message', ({ data, ports: [page] }) => {
  if (data !== 'bench-echo' || !page) return;
  const background = api.runtime.connect();
  const waiting = [];
  background.onMessage.addListener((bytes) => waiting.shift()(bytes));
  const ways = {
    port: (bytes) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        background.postMessage(bytes);
      }),
    json: async (bytes) => {
      const answer = await api.runtime.sendMessage(JSON.stringify({ plaintext: bytes.toBase64() }));
      return Uint8Array.fromBase64(JSON.parse(answer).message);
    },
  };
  page.onmessage = async ({ data }) => {
    const { way, bytes } = structuredClone(data);
    const answer = await ways[way](bytes);
    page.postMessage(answer, [answer.buffer]);
  };
});
