import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BidiConnection } from './bidi.ts';
import { copyWithFunctions } from './content-script-calls.ts';
import { opensWelcome, WELCOME_PAGE } from './driver.ts';
import type { BrowserSession, LaunchOptions } from './driver.ts';
import { FirefoxSession } from './firefox-session.ts';
import { ARRIVES_SLOWLY } from './slow-arrivals.ts';

const EXECUTABLE = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
// A fixed host for the extension's pages, which Firefox otherwise draws at random.
const HOST = '11111111-2222-4333-8444-555555555555';

const PREFERENCES = (addonId: string, options: LaunchOptions) => ({
  'extensions.webextensions.uuids': JSON.stringify({ [addonId]: HOST }),
  // The test user says yes to every permission that the extension asks for after a click.
  'extensions.webextOptionalPermissionPrompts': options.allowedHosts.length === 0,
  // 0 is dark, 1 is light.
  'layout.css.prefers-color-scheme.content-override': options.colorScheme === 'dark' ? 0 : 1,
  'intl.locale.requested': 'en-US',
  'app.update.enabled': false,
  // Sessions are saved as they are for a person; automation would switch it off.
  'browser.sessionstore.resume_from_crash': true,
  'browser.sessionstore.interval': 5_000,
  // The page of a new tab has a process of its own, which no test looks at.
  'browser.newtab.preload': false,
  // Processes for pages that may come: three at the start of each browser.
  'dom.ipc.processPrelaunch.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  // The list of downloads would open after a save, and take the keys from the page.
  'browser.download.alwaysOpenPanel': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  ...options.switches?.firefox,
});

export async function launchFirefox(options: LaunchOptions): Promise<BrowserSession> {
  const folder = options.profile ?? (await mkdtemp(join(tmpdir(), 'sealwright-firefox-')));
  const manifest = JSON.parse(
    await readFile(join(options.extensionFolder, 'manifest.json'), 'utf8'),
  ) as { browser_specific_settings: { gecko: { id: string } } };
  const addonId = manifest.browser_specific_settings.gecko.id;
  const preferences = Object.entries(PREFERENCES(addonId, options))
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    .join('\n');
  await writeFile(join(folder, 'user.js'), preferences);
  if (options.brokenIndexedDb) {
    const storage = join(folder, `storage/default/moz-extension+++${HOST}`);
    await mkdir(storage, { recursive: true });
    await writeFile(join(storage, 'idb'), 'not a folder');
  }
  const { contentScriptFunctions: functions } = options;
  const copy = join(folder, 'extension-under-test');
  const isCopied = functions !== undefined || ARRIVES_SLOWLY;
  if (isCopied) await copyWithFunctions(options.extensionFolder, copy, functions ?? {});
  const process_ = spawn(
    EXECUTABLE,
    [
      ...((options.headless ?? true) ? ['--headless'] : []),
      '--no-remote',
      '--profile',
      folder,
      '--remote-debugging-port',
      '0',
      '--remote-allow-system-access',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...options.environment } },
  );
  const connection = await BidiConnection.open(`${await listeningUrl(process_)}/session`);
  const session = await connection.send<{ capabilities: { browserVersion: string } }>(
    'session.new',
    { capabilities: {} },
  );
  const firefox = new FirefoxSession(connection, process_, {
    folder,
    addonId,
    host: HOST,
    extensionFolder: isCopied ? copy : options.extensionFolder,
    version: `Firefox/${session.capabilities.browserVersion}`,
  });
  await firefox.listen();
  await firefox.reloadExtension();
  if (opensWelcome(options)) await (await firefox.waitForTab(WELCOME_PAGE)).close();
  for (const other of options.besides ?? []) await firefox.install(resolve(other));
  return firefox;
}

async function listeningUrl(browser: ChildProcess): Promise<string> {
  let log = '';
  for await (const chunk of browser.stderr!) {
    log += String(chunk);
    const match = /WebDriver BiDi listening on (ws:\S+)/.exec(log);
    if (match) {
      browser.stderr!.resume();
      return match[1]!;
    }
  }
  throw new Error(`Firefox did not start:\n${log}`);
}
