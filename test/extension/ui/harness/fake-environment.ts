import { utf8 } from '../../../../src/crypto/bytes.ts';
import { PageEntropy } from '../../../../extension/platform/entropy/page-entropy.ts';
import { PasskeyError } from '../../../../extension/platform/lock/passkeys.ts';
import type {
  Drafts,
  Environment,
  PasskeyAccess,
} from '../../../../extension/ui/environment/environment.ts';
import { Text } from '../../../../extension/ui/text/i18n.ts';
import type { Picture } from '../../../../extension/ui/picture/picture.ts';
import type { OutputOf, SelfTestEvent, Workshop } from '../../../../src/rpc/workshop.ts';
import { FakeUiClient, type World } from './fake-ui-client.ts';
import type { Messages } from '../../../../extension/platform/windows/chosen-words.ts';
import { messageReader } from '../../../../extension/ui/text/message-reader.ts';

/** Drafts in memory. */
export function fakeDrafts(initial: Readonly<Record<string, string>> = {}): Drafts {
  const drafts = new Map(Object.entries(initial));
  return {
    get: (key) => Promise.resolve(drafts.get(key)),
    set: (key, value) => Promise.resolve(void drafts.set(key, value)),
    remove: (key) => Promise.resolve(void drafts.delete(key)),
  };
}

const ALGORITHMS = ['AES-GCM', 'AES-CTR', 'SHA-256'];
const SIZES = [16, 1024, 65_536, 1_048_576];

const ENGINES = [
  { engine: 'native', constantTime: 'platform', bytesAtHalf: 30_000, top: 1.2e9 },
  { engine: 'wasm-simd', constantTime: 'by-construction', bytesAtHalf: 600, top: 4.5e8 },
  { engine: 'js', constantTime: 'no', bytesAtHalf: 200, top: 1.6e8 },
] as const;

/** Results of an imaginary machine. */
function imaginaryResults(): SelfTestEvent[] {
  const results = ENGINES.flatMap(({ engine, constantTime, bytesAtHalf, top }) =>
    ALGORITHMS.flatMap((algorithm): SelfTestEvent[] => [
      { type: 'answer', engine, algorithm, passed: true },
      ...SIZES.map((bytes): SelfTestEvent => {
        const bytesPerSecond = (bytes / (bytes + bytesAtHalf)) * top;
        return { type: 'speed', engine, algorithm, constantTime, bytes, bytesPerSecond };
      }),
    ]),
  );
  const calls = ENGINES.flatMap(({ engine, top }): SelfTestEvent[] => [
    ...['AES-128-GCM', 'XChaCha20-Poly1305'].map((name): SelfTestEvent => {
      const call = { operation: 'decrypt', name, bytes: 65_536, seconds: 65_536 / top } as const;
      return { type: 'call', engine, ...call };
    }),
    ...(engine === 'native'
      ? []
      : [
          {
            ...({ type: 'call', engine, operation: 'derive' } as const),
            name: 'Argon2id, m = 1024, t = 1, p = 1',
            bytes: 0,
            seconds: 1e6 / top,
          },
        ]),
  ]);
  return [
    ...results,
    ...calls,
    {
      type: 'answer',
      engine: 'wasm-simd',
      algorithm: 'AES-OCB',
      passed: false,
      reason: 'tag differs',
    },
  ];
}

/** What the engines of that machine could do. */
function imaginaryEngines(): OutputOf<'selfTest.engines'> {
  const engines = ENGINES.map(({ engine }) => engine);
  return {
    absent: [{ type: 'absent', engine: 'webgpu', reason: 'no WebGPU in this browser' }],
    engines,
    rows: ALGORITHMS.map((algorithm) => ({ algorithm, engines })),
  };
}

/** Reports the results of a self-test; with `stopHalfWay` only the first half, without an end. */
function fakeWorkshop(stopHalfWay: boolean): Workshop {
  const results = imaginaryResults();
  const until = stopHalfWay ? results.length >> 1 : results.length;
  const run = async (report: (event: SelfTestEvent) => void): Promise<unknown> => {
    await Promise.resolve();
    results.slice(0, until).forEach(report);
    report({ type: 'progress', done: until, total: results.length });
    return stopHalfWay ? new Promise(() => undefined) : { thresholds: [] };
  };
  return {
    call: ((_owner, operation, _input, { onProgress = () => undefined } = {}) =>
      operation === 'selfTest.run'
        ? run(onProgress as (event: SelfTestEvent) => void)
        : Promise.resolve(imaginaryEngines())) as Workshop['call'],
  };
}

const PICTURE: Picture = {
  symbols: ['sailboat', 'cherry', 'feather'],
  tone: 'purple',
  outline: 'scallop',
};

/** The state in which a page is rendered. */
export interface Scene {
  readonly world?: Partial<World>;
  readonly drafts?: Readonly<Record<string, string>>;
  readonly tabId?: number | null;
  readonly grantsSite?: boolean;
  readonly halfSelfTest?: boolean;
  readonly lastSelfTest?: unknown;
  readonly picture?: Picture;
  readonly passkeys?: 'in-a-tab' | 'none' | 'cancelled';
}

function fakePasskeys(kind: Scene['passkeys']): PasskeyAccess {
  if (kind === 'none') return null;
  if (kind === 'in-a-tab') return kind;
  const output = () =>
    kind === 'cancelled'
      ? Promise.reject(new PasskeyError('PASSKEY_CANCELLED'))
      : Promise.resolve(new Uint8Array(32).fill(1));
  const credential = { credentialId: new Uint8Array(16), prfSalt: new Uint8Array(32) };
  return {
    evaluate: output,
    evaluateForCircle: output,
    make: async () => ({ ...credential, output: await output() }),
  };
}

/** An `Environment` without a browser, for one scene and language. */
export function fakeEnvironment(
  messages: Messages,
  language: string,
  scene: Scene = {},
): Environment & { readonly ui: FakeUiClient } {
  const ui = new FakeUiClient(scene.world);
  return {
    ui,
    text: new Text(messageReader(messages), language),
    drafts: fakeDrafts(scene.drafts),
    localValues: {
      get: () => Promise.resolve(scene.lastSelfTest),
      set: () => Promise.resolve(),
    },
    picture: () => Promise.resolve(scene.picture ?? PICTURE),
    passkeys: () => Promise.resolve(fakePasskeys(scene.passkeys)),
    tabId: () => Promise.resolve(scene.tabId === undefined ? 1 : scene.tabId),
    requestSite: () => Promise.resolve(scene.grantsSite ?? true),
    requestSync: () => Promise.resolve(true),
    openInTab: () => undefined,
    loadText: () => Promise.resolve(new Text(messageReader(messages), language)),
    preferences: { language: 'auto', theme: 'system' },
    choose: () => Promise.resolve(),
    storageUse: () => Promise.resolve({ bytes: 212_992, isKept: false }),
    // A package of no other file than the list of its files.
    ownFile: () => Promise.resolve(utf8('[]')),
    shortcuts: () =>
      Promise.resolve([
        { command: '_execute_action', keys: 'Alt+Shift+K' },
        { command: 'lock', keys: 'Alt+Shift+L' },
        { command: 'write-sealed', keys: 'Alt+Shift+S' },
        { command: 'open-sealed', keys: '' },
      ]),
    openShortcutSettings: () => undefined,
    forgetSession: () => Promise.resolve(),
    openManager: () => undefined,
    workshop: fakeWorkshop(scene.halfSelfTest ?? false),
    entropy: new PageEntropy((params) => ui.call('ui.addEntropy', params), false),
  };
}
