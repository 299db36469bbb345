/*
 * What the lane is compared with: a port that echoes bytes, and the way other extensions seal, which
 * is JSON with base64 through sendMessage. It keeps nothing and asks for nothing.
 */
const { crypto } = globalThis;
const api = globalThis.browser ?? globalThis.chrome;
const key = crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);

api.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener((message) => port.postMessage(message));
});

api.runtime.onMessage.addListener((text, _sender, respond) => {
  void sealed(JSON.parse(text)).then(respond);
  return true;
});

async function sealed({ plaintext }) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = Uint8Array.fromBase64(plaintext);
  const message = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await key, bytes);
  return JSON.stringify({ iv: iv.toBase64(), message: new Uint8Array(message).toBase64() });
}
