/*
 * Files of any size, sealed and opened as streams. Where the browser lets a page save a file
 * piece by piece (showSaveFilePicker), sealStream is piped there; elsewhere the same work is done
 * by sealBlob and offered as a download.
 */
const PERMISSION = {
  purpose: 'Seal and open the files you choose',
  capabilities: ['seal', 'open'],
};

const WORDS = {
  NOT_GRANTED: 'You have not given this page permission, or have taken it back.',
  USER_REJECTED: 'You said no. Nothing was done.',
  LOCKED: 'Sealwright is locked. Unlock it and try again.',
  NEEDS_KEY: 'This file was sealed with a key that this page does not have.',
  AUTH_FAILED: 'This file was altered, cut off, or sealed elsewhere. Delete what was saved of it.',
  BAD_ENVELOPE: 'This is not a sealed file.',
  TOO_LARGE: 'The file is larger than 32 GiB.',
  AbortError: 'Stopped.',
};

const element = (id) => document.getElementById(id);
const [connect, file, seal, open, stop] = ['connect', 'file', 'seal', 'open', 'stop'].map(element);
const [progress, message] = ['progress', 'message'].map(element);

addEventListener('sealwright:announce', ({ detail }) => start(detail.provider), { once: true });
dispatchEvent(new Event('sealwright:request'));

function start(sealwright) {
  connect.onclick = () =>
    saying(async () => {
      await sealwright.connect(PERMISSION);
      file.disabled = false;
      return 'Choose a file.';
    });
  file.onchange = () => {
    seal.disabled = open.disabled = file.files.length === 0;
  };
  seal.onclick = () =>
    run('Sealed', (name) => `${name}.sealed`, {
      stream: (options) => sealwright.sealStream(options),
      blob: (input, options) => sealwright.sealBlob(input, options),
    });
  open.onclick = () =>
    run('Opened', (name) => name.replace(/\.sealed$/, ''), {
      stream: (options) => sealwright.openStream(options),
      blob: (input, options) => sealwright.openBlob(input, options),
    });
}

/** One file, with progress and a way to stop it. */
async function run(done, nameOf, way) {
  const [input] = file.files;
  const name = nameOf(input.name);
  const abort = new AbortController();
  stop.onclick = () => abort.abort();
  const options = {
    signal: abort.signal,
    onProgress: ({ bytes }) => (progress.value = bytes / (input.size || 1)),
  };
  await saying(async () => {
    // Asked first, because the browser wants the click to be fresh.
    const target = await globalThis.showSaveFilePicker?.({ suggestedName: name });
    stop.hidden = progress.hidden = false;
    if (target)
      await input
        .stream()
        .pipeThrough(way.stream(options))
        .pipeTo(await target.createWritable());
    else download(await way.blob(input, options), name);
    return `${done}: ${name}`;
  });
  stop.hidden = progress.hidden = true;
}

function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function saying(work) {
  try {
    message.textContent = await work();
  } catch (error) {
    message.textContent = WORDS[error.code] ?? WORDS[error.name] ?? error.message;
  }
}
