/*
 * npx tsx scripts/store-pictures.ts (after npm run build and npm run setup): the pictures that the stores show, in
 * artifacts/store: the built extension in Chromium, 1280 × 800, and the promotional tiles of the Chrome Web Store, light
 * and dark. The site that asks is examples/demo under a name of its own, with a certificate that this browser alone
 * accepts.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import forge from 'node-forge';
import type { BrowserSession, Tab } from '../test/browser/drivers/driver.ts';
import type { Grant } from '../src/client/page-api.ts';
import { launch } from '../test/browser/drivers/launch.ts';
import { answer } from '../test/browser/server.ts';
import * as steps from '../test/browser/steps.ts';
import { extDescription, extName } from '../_locales/en/messages.json' with { type: 'json' };

const FOLDER = 'artifacts/store';
const SCREEN = { width: 1280, height: 800 };
const TILES = [
  { width: 440, height: 280 },
  { width: 1400, height: 560 },
];
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
/** The background and text of what is not the extension itself: those of extension/ui/ui.css. */
const COLOURS = {
  light: { page: '#e2f1f2', ink: '#15212a', soft: '#4a5963', edge: '#d3dce1' },
  dark: { page: '#12343a', ink: '#e8eef1', soft: '#a9b8c1', edge: '#2f3d46' },
};

const SITE = 'notes.example';
const REQUEST = {
  purpose: 'Keep your notes private on our server.',
  capabilities: ['seal', 'open'],
  key: { kind: 'sealing', label: 'Notes' },
};
const KEYS = ['Notes', 'Family photos', 'Letters'];
/** Windows of the extension, which are smaller than a picture: each stands beside what it is for. */
const WINDOWS = {
  prompt: {
    at: 1,
    width: 440,
    height: 640,
    title: 'You decide for each site',
    words: 'A site says what it wants to do and why. You choose the key, and for how long.',
  },
  popup: {
    // Headless, its window is wider than the popup, and as high: up to the end of the permission.
    at: 2,
    width: 384,
    height: 468,
    title: 'You can take it back',
    words: 'The popup shows what a site may do, and ends it.',
  },
} as const;
/** Screens of the manager, which fill a picture. Chrome shows five pictures at most. */
const SCREENS = ['keys', 'files', 'activity'];

/** A site that browsers take for a secure context. */
async function serveSite(): Promise<{ readonly port: number; close(): void }> {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.sign(privateKey, forge.md.sha256.create());
  const secrets = {
    cert: forge.pki.certificateToPem(certificate),
    key: forge.pki.privateKeyToPem(privateKey),
  };
  const server = createServer(secrets, (request, response) =>
    answer(['examples/demo'], request, response),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A vault with all that the extension asks for at first, so that no picture has a reminder. */
async function createVault(session: BrowserSession): Promise<void> {
  const welcome = await steps.openWelcome(session);
  await steps.chooseFirstPassphrase(welcome);
  const groups = await welcome.evaluate(() =>
    Array.from(document.querySelectorAll('#recovery-code .code-group'), (one) => one.textContent),
  );
  await welcome.click('#recovery-written');
  for (const place of [0, 1, 2]) {
    const label = await welcome.text(`label[for="recovery-group-${place}"]`);
    await welcome.type(`#recovery-group-${place}`, groups[Number(/\d+/.exec(label)![0]) - 1]!);
  }
  await welcome.click('#confirm-recovery-code');
  await welcome.waitFor('#try-text', 30_000);
  await welcome.close();
}

async function prepare(session: BrowserSession): Promise<Tab> {
  await createVault(session);
  const popup = await steps.openPopup(session);
  await popup.click('#nav-keys');
  for (const [at, label] of KEYS.entries()) {
    await popup.type('#new-key-label', label);
    await popup.click('#create-key');
    await popup.waitFor(`#keys > li:nth-child(${at + 2})`);
  }
  await popup.close();
  return await steps.openEnabledSite(session, `https://${SITE}/`);
}

/** As its user chooses it. */
async function chooseScheme(session: BrowserSession, scheme: Scheme): Promise<void> {
  const settings = await session.newTab(session.extensionUrl('manager.html#settings'));
  await settings.waitFor('#theme');
  await steps.choose(settings, '#theme', scheme);
  await settings.waitUntil(
    (theme) => document.documentElement.dataset['theme'] === theme,
    {},
    scheme,
  );
  await settings.close();
}

/** Pictures of the prompt and of the popup, as data: URLs. */
async function takeWindows(
  session: BrowserSession,
  site: Tab,
): Promise<Record<keyof typeof WINDOWS, string>> {
  const asked = steps.call(site, 'connect', REQUEST);
  const prompt = await session.waitForTab('prompt.html');
  // Its size first: a window that was resized takes no press for a while.
  await prompt.setViewport(WINDOWS.prompt.width, WINDOWS.prompt.height);
  await prompt.waitFor('#allow[aria-disabled="false"]');
  await prompt.click('.choice:nth-of-type(1) input');
  await prompt.waitUntil(() => document.querySelector('#arming-hint')?.textContent === '');
  const ofPrompt = await taken(prompt, 'prompt');
  await steps.answerPrompt(session);
  const outcome = await asked;
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  const [grant] = outcome.value as readonly Grant[];
  const context = 'note 1';
  for (const text of ['Meet me at nine', 'Bring the letters']) {
    const sealed = await steps.succeed(site, 'sealText', text, { context, key: grant!.keyId });
    await steps.succeed(site, 'openText', sealed, { context });
  }
  const popup = await steps.openSitePopup(session, site);
  await popup.waitFor('.grant');
  const ofPopup = await taken(popup, 'popup');
  await popup.close();
  return { prompt: ofPrompt, popup: ofPopup };
}

async function taken(tab: Tab, name: keyof typeof WINDOWS): Promise<string> {
  const path = `${FOLDER}/${name}.png`;
  await tab.screenshot(path);
  const url = `data:image/png;base64,${readFileSync(path, 'base64')}`;
  rmSync(path);
  return url;
}

async function drawScreens(session: BrowserSession, scheme: Scheme): Promise<void> {
  for (const [at, screen] of SCREENS.entries()) {
    const tab = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
    await tab.setViewport(SCREEN.width, SCREEN.height);
    await tab.waitFor(`#nav-${screen}[aria-current]`);
    await tab.waitFor('#view-title');
    await tab.waitUntil(() => document.querySelector('[aria-busy="true"]') === null);
    await save(tab, `${at + 3}-${screen}-${scheme}`);
    await tab.close();
  }
}

/** Text beside a picture, on a page of this size. */
async function drawBeside(
  session: BrowserSession,
  name: string,
  {
    width,
    height,
    colours,
    html,
  }: { width: number; height: number; colours: (typeof COLOURS)[Scheme]; html: string },
): Promise<void> {
  const tab = await session.newTab('about:blank');
  await tab.setViewport(width, height);
  await tab.evaluate(
    (body, { page, ink, soft, edge }, unit) => {
      document.body.innerHTML = `<style>
        body { margin: 0; block-size: 100vh; display: flex; align-items: center; justify-content: center;
          gap: 8vw; background: ${page}; color: ${ink}; font-family: system-ui, sans-serif }
        section { max-inline-size: ${unit * 16}px }
        h1 { display: flex; align-items: center; gap: 0.3em; margin: 0 0 0.4em; font-size: ${unit * 2}px;
          font-weight: 650; line-height: 1.15 }
        h1 svg { flex: none; inline-size: 1.5em; block-size: 1.5em }
        h1, p { text-wrap: balance }
        p { margin: 0; color: ${soft}; font-size: ${unit}px; line-height: 1.45 }
        img { display: block; border: 1px solid ${edge}; border-radius: 12px; box-shadow: 0 12px 40px #0004 }
        </style>${body}`;
      return Promise.all([...document.images].map((image) => image.decode())).then(() => true);
    },
    html,
    colours,
    width / 48,
  );
  await save(tab, name);
  await tab.close();
}

async function drawWindows(
  session: BrowserSession,
  scheme: Scheme,
  pictures: Record<string, string>,
): Promise<void> {
  for (const [name, { at, title, words, width, height }] of Object.entries(WINDOWS)) {
    const style = `inline-size: ${width}px; block-size: ${height}px; object-fit: none; object-position: top`;
    await drawBeside(session, `${at}-${name}-${scheme}`, {
      ...SCREEN,
      colours: COLOURS[scheme],
      html: `<section><h1>${title}</h1><p>${words}</p></section><img alt="" style="${style}" src="${pictures[name]!}">`,
    });
  }
}

async function drawTiles(session: BrowserSession, scheme: Scheme, prompt: string): Promise<void> {
  const mark = readFileSync('extension/icons/mark.svg', 'utf8');
  for (const { width, height } of TILES) {
    // The small one has no room for a window.
    const picture = width > 1000 ? `<img alt="" style="block-size: 84vh" src="${prompt}">` : '';
    await drawBeside(session, `tile-${width}x${height}-${scheme}`, {
      width,
      height,
      colours: COLOURS[scheme],
      html: `<section ${picture ? '' : 'style="zoom: 2.3"'}><h1>${mark}${extName.message}</h1><p>${extDescription.message}</p></section>${picture}`,
    });
  }
}

async function save(tab: Tab, name: string): Promise<void> {
  const path = `${FOLDER}/${name}.png`;
  await tab.screenshot(path);
  console.log(path);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const server = await serveSite();
try {
  for (const scheme of SCHEMES) {
    const session = await launch('chromium', {
      colorScheme: scheme,
      allowedHosts: [`https://${SITE}/*`],
      switches: {
        chromium: [
          `--host-resolver-rules=MAP ${SITE}:443 127.0.0.1:${server.port}`,
          '--ignore-certificate-errors',
          // A popup is no higher than the window.
          '--window-size=1400,1000',
        ],
        firefox: {},
      },
    });
    try {
      const site = await prepare(session);
      await chooseScheme(session, scheme);
      const pictures = await takeWindows(session, site);
      await drawWindows(session, scheme, pictures);
      await drawScreens(session, scheme);
      await drawTiles(session, scheme, pictures.prompt);
    } finally {
      await session.close();
    }
  }
} finally {
  server.close();
}
