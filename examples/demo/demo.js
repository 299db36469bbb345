/*
 * A page that uses Sealwright, without a build step or a library. Copy from it what you need:
 *
 *   findSealwright()   discovery, also when the user enables the site later
 *   ERRORS             every error code in words
 *   the rest           connect, seal, open, inspect, revoke
 */

// ---------------------------------------------------------------- the parts of this page

const $ = (id) => document.getElementById(id);
const state = $('state');
const log = $('log');
const progress = $('progress');

/** What this page may do now, and the buttons whose work is under way. */
let may = { connect: false, revoke: false, work: false };
const working = new Set();

/** Every code that a rejected call may have, and what to tell a person. */
const ERRORS = {
  USER_REJECTED: 'You said no. Nothing happened; you can ask again.',
  NOT_GRANTED: 'This page has no permission for that. Connect first.',
  LOCKED: 'Your vault is locked. Unlock Sealwright from the toolbar and try again.',
  UNSUPPORTED: 'This version of Sealwright cannot do that yet.',
  DISCONNECTED: 'Sealwright was updated or turned off. Try again in a moment.',
  NEEDS_KEY: 'This was sealed with a key that this page may not use.',
  QUOTA: 'Too many requests. Wait a moment and try again.',
  EXPIRED: 'The permission has ended. Connect again.',
  BAD_ENVELOPE: 'This is not something that Sealwright has sealed.',
  AUTH_FAILED: 'This does not open: it was changed, or it was sealed for another purpose.',
  TOO_LARGE: 'This is larger than 64 MiB, the most that one call takes.',
  INVALID_ARGUMENT: 'This page asked for something that makes no sense. That is a bug of the page.',
  INTERNAL: 'Something unexpected went wrong in Sealwright. Please try again.',
};

// ---------------------------------------------------------------- finding the extension

/**
 * Calls `found` with the provider as soon as there is one. Providers announce themselves once when
 * they load and again whenever a page asks, so the order in which page and extension start does
 * not matter, and neither does a site that is enabled while it is open.
 */
function findSealwright(found) {
  addEventListener('sealwright:announce', ({ detail }) => {
    if (detail?.info?.rdns === 'org.sealwright') found(detail.provider, detail.info);
  });
  dispatchEvent(new Event('sealwright:request'));
}

let sealwright = null;

findSealwright((provider, info) => {
  if (sealwright === provider) return;
  sealwright = provider;
  $('absent').hidden = true;
  note(`Found ${info.name} ${info.version}.`);
  for (const event of ['lock', 'unlock', 'grantchange', 'disconnect', 'reconnect']) {
    provider.addEventListener(event, refresh);
  }
  refresh();
});

setTimeout(() => {
  if (sealwright) return;
  $('absent').hidden = false;
  show('absent', 'Sealwright is not on for this page.');
}, 500);

// ---------------------------------------------------------------- state

/** Reads what this page may do, and shows it. */
async function refresh() {
  try {
    const { locked, grants } = await sealwright.status();
    // Who is locked is told no grants: ask for the permission only after unlocking.
    if (locked) show('locked', 'Your vault is locked.');
    else if (grants.length === 0) show('found', 'Sealwright is here. Connect to use it.');
    else show('connected', 'Connected: this page may seal and open.');
    $('grant').textContent = grants.map(describeGrant).join(' ');
    allow({ connect: true, revoke: grants.length > 0, work: grants.length > 0 });
  } catch (error) {
    show('absent', wordsFor(error));
    allow({ connect: false, revoke: false, work: false });
  }
}

function describeGrant({ capabilities, expiresAt, usesLeft }) {
  const until =
    expiresAt === null ? 'until you revoke it' : `until ${new Date(expiresAt).toLocaleString()}`;
  const uses = usesLeft === null ? '' : `, ${usesLeft} uses left`;
  return `May ${capabilities.join(' and ')} ${until}${uses}.`;
}

function show(name, words) {
  state.dataset.state = name;
  state.textContent = words;
}

/** Buttons that would do nothing are disabled; the one that leads on is the primary one. */
function allow(next = may) {
  may = next;
  const { connect, revoke, work } = may;
  const useful = {
    connect,
    revoke,
    seal: work && $('file').files.length > 0,
    open: work && $('sealed-file').files.length > 0,
    'seal-text': work && $('text').value !== '',
    'open-text': work && $('sealed-text').value.trim() !== '',
  };
  for (const [id, isUseful] of Object.entries(useful))
    $(id).disabled = !isUseful || working.has(id);
  const primary = { ...useful, connect: !work, revoke: false };
  primary['seal-text'] = useful['seal-text'] && !useful['open-text'];
  for (const [id, isPrimary] of Object.entries(primary)) {
    $(id).classList.toggle('primary', isPrimary);
  }
}

for (const id of ['file', 'sealed-file', 'text', 'sealed-text']) {
  $(id).addEventListener('input', () => allow());
}

// ---------------------------------------------------------------- what the buttons do

onClick('connect', async (say) => {
  say('Asking you in a window of the extension …');
  const grants = await sealwright.connect({
    purpose: 'Seal and open the files and texts that you choose on this demo page.',
    key: 'app',
    capabilities: ['seal', 'open'],
  });
  say(`Allowed: ${grants.map(({ capabilities }) => capabilities.join(' and ')).join('; ')}.`);
});

onClick('revoke', async (say) => {
  await sealwright.revoke();
  say('Gave all permissions back.');
});

onClick('seal', async (say) => {
  const file = chosen('file');
  const plaintext = new Uint8Array(await file.arrayBuffer());
  const { result: sealed, ms } = await timed(() => sealwright.seal(plaintext, { onProgress }));
  const info = await sealwright.inspect(sealed);
  offer('sealed-download', sealed, `${file.name}.sealed`, 'Download the sealed file');
  describe('sealed-info', {
    Format: `version ${info.version}, suite ${info.suite}, purpose ${info.purpose}`,
    'Header key id': info.headerKeyId ?? 'none',
    'Bytes before': plaintext.length.toLocaleString(),
    'Bytes sealed': `${sealed.length.toLocaleString()} (announced: ${sealwright
      .sealedLength(plaintext.length)
      .toLocaleString()})`,
    Time: `${ms} ms`,
  });
  say(`Sealed ${file.name}: ${size(plaintext.length)} became ${size(sealed.length)} in ${ms} ms.`);
});

onClick('open', async (say) => {
  const file = chosen('sealed-file');
  const sealed = new Uint8Array(await file.arrayBuffer());
  const { result: plaintext, ms } = await timed(() => sealwright.open(sealed, { onProgress }));
  offer(
    'opened-download',
    plaintext,
    file.name.replace(/\.sealed$/, ''),
    'Download the opened file',
  );
  say(`Opened ${file.name}: ${size(plaintext.length)} in ${ms} ms, not a bit changed.`);
});

onClick('seal-text', async (say) => {
  $('sealed-text').value = await sealwright.sealText($('text').value);
  say('Sealed the text.');
});

onClick('open-text', async (say) => {
  $('opened-text').textContent = '';
  $('opened-text').textContent = await sealwright.openText($('sealed-text').value.trim());
  say('Opened the text.');
});

// ---------------------------------------------------------------- helpers

/**
 * One thing at a time. What comes of it is said beside the button, in words, and in the log.
 *
 * @param work gets the function that says it
 */
function onClick(id, work) {
  const button = $(id);
  const say = (words, code) => {
    sayAt(button, words, code);
    note(words, code);
  };
  button.addEventListener('click', async () => {
    messageOf(button).after(progress);
    working.add(id);
    allow();
    try {
      await work(say);
    } catch (error) {
      say(wordsFor(error), error.code ?? error.name);
    } finally {
      progress.hidden = true;
      working.delete(id);
      allow();
      if (sealwright) await refresh();
    }
  });
}

/** In the message that follows the button; those of other buttons go. */
function sayAt(button, words, code = '') {
  const place = messageOf(button);
  for (const message of document.querySelectorAll('.said')) {
    message.textContent = message === place ? words : '';
    message.dataset.code = message === place ? code : '';
  }
}

function messageOf(button) {
  const isAfter = (message) =>
    button.compareDocumentPosition(message) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [...document.querySelectorAll('.said')].find(isAfter);
}

function wordsFor(error) {
  if (error.name === 'NothingChosen') return error.message;
  return ERRORS[error.code] ?? `Unexpected: ${error.message}`;
}

function chosen(id) {
  const [file] = $(id).files;
  if (file) return file;
  throw Object.assign(new Error('Choose a file first.'), { name: 'NothingChosen' });
}

function onProgress({ bytes, total }) {
  progress.hidden = false;
  if (total > 0) progress.value = bytes / total;
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, ms: Math.round(performance.now() - start) };
}

/** Makes a link that saves the bytes, and follows it. */
function offer(id, bytes, name, words) {
  const link = $(id);
  if (link.href) URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.textContent = `${words} (${name}, ${size(bytes.length)})`;
  link.hidden = false;
  link.click();
}

function describe(id, facts) {
  $(id).replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) => [
      Object.assign(document.createElement('dt'), { textContent: name }),
      Object.assign(document.createElement('dd'), { textContent: value }),
    ]),
  );
}

function note(words, code) {
  const item = document.createElement('li');
  item.textContent = words;
  if (code) item.dataset.code = code;
  log.prepend(item);
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Files may be dropped on the fields as well as chosen. */
for (const [dropId, inputId] of [
  ['drop', 'file'],
  ['sealed-drop', 'sealed-file'],
]) {
  const drop = $(dropId);
  drop.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.dataset.over = '';
  });
  drop.addEventListener('dragleave', () => delete drop.dataset.over);
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    delete drop.dataset.over;
    if (event.dataTransfer.files.length > 0) $(inputId).files = event.dataTransfer.files;
    allow();
  });
}

describe('errors', ERRORS);
