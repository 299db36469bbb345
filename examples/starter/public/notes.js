import { connectSealwright, explain, watchSealwright } from '/sealwright/client.js';

const [state, connect, add, text, list] = ['state', 'connect', 'add', 'text', 'notes'].map((id) =>
  document.getElementById(id),
);
const capabilities = ['seal', 'open'];
const purpose = 'Keep your notes private on our server.';
/** What a note is bound to: the server cannot give one note's text for another. */
const contextOf = (id) => ({ context: `note ${id}` });
let sealwright;

watchSealwright({ capabilities }).subscribe((now) => {
  state.textContent = explain(now.name);
  connect.hidden = now.name !== 'unconnected' && now.name !== 'locked';
  add.hidden = now.name !== 'ready';
  sealwright = now.sealwright;
  // After a lock no text stays on the screen.
  if (now.name === 'ready') doing(show);
  else list.replaceChildren();
});

connect.onclick = () => doing(() => connectSealwright({ purpose, capabilities }));
add.onsubmit = (event) => {
  event.preventDefault();
  doing(async () => {
    const id = await sealwright.randomUUID();
    const sealed = await sealwright.sealText(text.value, contextOf(id));
    await send(id, { method: 'PUT', body: JSON.stringify({ sealed }) });
    text.value = '';
    await show();
  });
};

async function show() {
  const rows = await (await fetch('/notes')).json();
  const items = rows.map(async ({ id, sealed }) => {
    const item = document.createElement('li');
    // A note that does not open stays in the list, and on the server.
    item.textContent = await sealwright.openText(sealed, contextOf(id)).catch(explain);
    const remove = document.createElement('button');
    remove.textContent = 'Delete';
    remove.onclick = () => doing(() => send(id, { method: 'DELETE' }).then(show));
    item.append(' ', remove);
    return item;
  });
  list.replaceChildren(...(await Promise.all(items)));
}

async function send(id, options) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`/notes/${id}`, { headers, ...options });
  if (!answer.ok) throw new Error(`The server said ${answer.status}`);
}

async function doing(work) {
  try {
    await work();
  } catch (error) {
    state.textContent = explain(error);
  }
}
