/* One note, which only its user can open. An app with a bundler uses the client of `sealwright` (docs/client.md). */
const byId = (id) => document.querySelector(`#${id}`);
const say = (text) => (byId('state').textContent = text);

/** Runs what a button does, and says how it ended. */
const on = (id, work) =>
  byId(id).addEventListener('click', () =>
    work().then(say, (error) => say(error.code ?? String(error))),
  );

addEventListener(
  'sealwright:announce',
  ({ detail: { provider } }) => {
    say('Found');
    provider.addEventListener('lock', () => say('Locked'));
    on('connect', async () => {
      await provider.connect({ purpose: 'Keep your note private', capabilities: ['seal', 'open'] });
      return 'Connected';
    });
    on('seal', async () => {
      const sealed = await provider.sealText(byId('note').value, { context: 'note' });
      byId('stored').textContent = sealed;
      byId('opened').textContent = await provider.openText(sealed, { context: 'note' });
      return 'Sealed';
    });
  },
  { once: true },
);
dispatchEvent(new Event('sealwright:request'));
