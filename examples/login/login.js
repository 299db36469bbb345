/* Registering a public key, and logging in by a signature: the page sees neither key nor password. */
const REQUEST = {
  purpose: 'Log you in without a password',
  key: { kind: 'signing', label: 'Login' },
  capabilities: ['sign', 'publicKey'],
};

const byId = (id) => document.getElementById(id);

/** Asks the user the first time; later the grant is there. */
async function signingKey() {
  if (!('sealwright' in window)) throw new Error('Enable this site in Sealwright first.');
  const [grant] = await window.sealwright.connect(REQUEST);
  return grant.keyId;
}

async function register(name) {
  const publicKey = await window.sealwright.publicKey(await signingKey());
  await post('/register', { name, publicKey });
  return `Registered ${name}.`;
}

async function logIn(name) {
  const key = await signingKey();
  const { challenge } = await post('/challenge', {});
  const data = new TextEncoder().encode(`login\n${name}\n${challenge}`);
  const signature = base64url(await window.sealwright.sign(data, { key }));
  const { welcome } = await post('/login', { name, challenge, signature });
  return `Welcome, ${welcome}.`;
}

async function post(path, body) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

function base64url(bytes) {
  const digits = btoa(String.fromCharCode(...bytes));
  return digits.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function onClick(id, work) {
  byId(id).addEventListener('click', async () => {
    byId('message').textContent = '';
    try {
      byId('message').textContent = await work(byId('name').value);
    } catch (error) {
      byId('message').textContent = error.code ?? error.message;
    }
  });
}

onClick('register', register);
onClick('log-in', logIn);
