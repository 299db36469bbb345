import { chooser, Tally, type StressResult } from '../keys/stress.ts';
import { packedOf } from '../support/packed.ts';
import { pageSubtle } from '../support/page-subtle.ts';
import { pageCaller } from '../support/service-fakes.ts';
import { PASSPHRASE, World } from '../support/service-world.ts';

/*
 * Mixed calls of several sites and of the user over the whole service, in one process, with what goes
 * wrong in months of use: the background is ended under calls, the vault is locked, the clock jumps, a
 * store is full for a while. Nothing that was acknowledged may be lost, and memory must not grow.
 */

export interface SoakResult extends StressResult {
  readonly calls: number;
  readonly memory: {
    /** MiB after a full garbage collection, at equal distances. */
    readonly samples: readonly number[];
    /** From the first samples after the warm-up to the last ones, by their medians. */
    readonly growthPercent: number;
  };
}

export interface SoakOptions {
  readonly calls: number;
  readonly seed: number;
  /** Collects all garbage. */
  readonly collect: () => void;
  readonly onSample?: (calls: number, mib: number) => void;
}

const SITES = 6;
const SAMPLES = 50;
/** A sample opens all that is remembered, so that a short run has fewer. */
const LEAST_BETWEEN_SAMPLES = 100;
/** The share of calls after which caches and the audit log are expected to be full. */
const WARM_UP = 0.4;
/** Messages that are opened again later. */
const REMEMBERED = 300;
const USER_KEYS = 10;
const CAPABILITIES = ['seal', 'open', 'mac', 'blindIndex'] as const;
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** While a store is full. */
const NO_ROOM = 'INTERNAL, There is no room to save; nothing was changed';
/** Not failures: what the disturbance of the moment explains, and the limits of the rate of calls. */
const EXPECTED = new Set(['LOCKED', 'QUOTA', 'EXPIRED', 'NOT_GRANTED']);

interface Remembered {
  readonly site: number;
  readonly sealed: Uint8Array;
  readonly text: string;
}

/** What a call came to: `code` is "ok" or of the error. */
interface Came {
  readonly code: string;
  readonly value: unknown;
}

class Soak {
  readonly tally = new Tally();
  readonly #choose: (n: number) => number;
  readonly #world = World.fresh();
  readonly #remembered: Remembered[] = [];
  /** Sites whose grant was acknowledged, and that no disturbance since may have ended. */
  readonly #granted = new Set<number>();
  #worker = { isDead: false, listeners: [] as ((key: string) => void)[] };
  #full: 'primary' | 'copy' | undefined;
  /** Calls until the full store has room again. */
  #fullFor = 0;
  #keys = 0;

  constructor(seed: number) {
    this.#choose = chooser(seed);
    const world = this.#world;
    world.session.watch((key) => {
      for (const listener of this.#worker.listeners) listener(key);
    });
    world.between = (store) => this.#gated(store);
    world.restart();
  }

  async begin(): Promise<void> {
    await this.#world.surface('ui.createVault', { passphrase: PASSPHRASE });
    for (let site = 0; site < SITES; site++) await this.#connect(site);
  }

  async step(): Promise<void> {
    this.tally.trials++;
    this.#world.now += 100 + this.#choose(400);
    if (this.#full !== undefined && --this.#fullFor <= 0) this.#full = undefined;
    const place = this.#choose(1000);
    if (place < 5) await this.#die();
    else if (place < 10) await this.#lock();
    else if (place < 15) this.#jump();
    else if (place < 20) this.#fill();
    else if (place < 40) this.#world.timers.goOff();
    else await this.#call(place);
  }

  /** Everything that was remembered opens; the fakes forget what they noted. */
  async check(): Promise<void> {
    this.#full = undefined;
    await this.#unlock();
    for (let site = 0; site < SITES; site++) await this.#connect(site);
    for (const one of this.#remembered) await this.#open(one);
    const { prompter, events, documents, wakeUp } = this.#world;
    for (const list of [prompter.shown, prompter.closed, events.log, documents.asked]) {
      list.length = 0;
    }
    this.#world.operations.length = 0;
    this.tally.hold(wakeUp.planned !== null, 'no wake-up is planned for an open vault');
  }

  async #call(place: number): Promise<void> {
    const site = this.#choose(SITES);
    const text = `${site} ${this.tally.trials}`;
    const data = new TextEncoder().encode(text);
    if (place < 250) await this.#seal(site, text, data);
    else if (place < 450) await this.#openSome();
    else if (place < 520) {
      await this.#page(site, 'sealMany', { items: packedOf(data, data, data) });
    } else if (place < 600) await this.#verified(site, data);
    else if (place < 680) await this.#page(site, 'random', { length: 32 });
    else if (place < 720) await this.#page(site, 'randomUUID', {});
    else if (place < 780) await this.#page(site, 'status', {});
    else if (place < 820) await this.#page(site, 'keys', {});
    else if (place < 860) await this.#page(site, 'releaseSeal', { purpose: 'stream' });
    else if (place < 890) await this.#page(site, 'blindIndex', { value: data, field: 'name' });
    else if (place < 910) await this.#sessionKey(site, data);
    else if (place < 950) await this.#surface('ui.state', {});
    else if (place < 970) await this.#surface('ui.sites', {});
    else if (place < 980) await this.#revoke(site);
    else if (place < 985 && this.#keys++ < USER_KEYS) {
      await this.#surface('ui.createKey', { kind: 'sealing', label: text });
    } else await this.#connect(site);
  }

  async #seal(site: number, text: string, data: Uint8Array): Promise<void> {
    const { code, value } = await this.#page(site, 'seal', { plaintext: data });
    if (code !== 'ok') return;
    const one = { site, text, sealed: value as Uint8Array };
    if (this.#remembered.length < REMEMBERED) this.#remembered.push(one);
    else this.#remembered[this.#choose(REMEMBERED)] = one;
  }

  async #openSome(): Promise<void> {
    const { length } = this.#remembered;
    if (length > 0) await this.#open(this.#remembered[this.#choose(length)]!);
  }

  async #open({ site, sealed, text }: Remembered): Promise<void> {
    const { code, value } = await this.#page(site, 'open', { sealed });
    if (code !== 'ok') return;
    const isSame = new TextDecoder().decode(value as Uint8Array) === text;
    this.tally.hold(isSame, `a message of site ${site} opened as another`);
  }

  async #verified(site: number, data: Uint8Array): Promise<void> {
    const { code, value } = await this.#page(site, 'mac', { data });
    if (code !== 'ok') return;
    const tag = value as Uint8Array;
    const verified = await this.#page(site, 'verifyMac', { data, tag });
    if (verified.code === 'ok') this.tally.hold(verified.value === true, 'a MAC did not verify');
  }

  async #sessionKey(site: number, data: Uint8Array): Promise<void> {
    const subtle = pageSubtle(this.#world, callerOf(site));
    const params = { name: 'AES-GCM', length: 256 };
    const key = await subtle.generateKey(params, true, ['encrypt']).catch(() => undefined);
    if (key === undefined) return;
    await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, data as BufferSource);
    this.tally.count('session keys');
  }

  async #connect(site: number): Promise<void> {
    const request = { purpose: 'To soak', capabilities: [...CAPABILITIES] };
    const asked = this.#world.connect(request, callerOf(site));
    const { code } = await this.#came('connect', asked, site);
    if (code === 'ok') this.#granted.add(site);
  }

  async #revoke(site: number): Promise<void> {
    this.#granted.delete(site);
    await this.#page(site, 'revoke', {});
  }

  async #lock(): Promise<void> {
    this.tally.count('locks');
    await this.#surface('ui.lock', {});
    await this.#unlock();
  }

  async #unlock(): Promise<void> {
    const { code } = await this.#surface('ui.unlock', { passphrase: PASSPHRASE });
    this.tally.hold(code === 'ok' || code === NO_ROOM, `the passphrase does not open: ${code}`);
  }

  /** The background ends while calls are under way. What they came to is not known. */
  async #die(): Promise<void> {
    this.tally.count('deaths');
    const site = this.#choose(SITES);
    const data = Uint8Array.of(1);
    this.#world.begin('seal', { plaintext: data }, callerOf(site));
    if (this.#choose(2) === 0) {
      this.#granted.delete(site);
      this.#world.begin('revoke', {}, callerOf(site));
    }
    if (this.#choose(2) === 0) this.#world.begin('ui.lock', {}, { kind: 'surface', page: 'popup' });
    for (let turns = this.#choose(60); turns > 0; turns--) await Promise.resolve();
    this.#worker.isDead = true;
    this.#world.timers.goOff(); // those of the dead background
    this.#worker = { isDead: false, listeners: [] };
    this.#world.restart();
    // Storage.session may have ended with the browser.
    if (this.#choose(3) === 0) this.#world.session.values.clear();
    await this.#unlock();
  }

  /** Grants may end by it: which did is not known. */
  #jump(): void {
    this.tally.count('clock jumps');
    const sizes = [MINUTE, 30 * MINUTE, DAY, 10 * DAY];
    const size = sizes[this.#choose(sizes.length)]!;
    this.#world.now += this.#choose(2) === 0 ? size : -size;
    this.#granted.clear();
  }

  #fill(): void {
    this.tally.count('full stores');
    this.#full = this.#choose(2) === 0 ? 'primary' : 'copy';
    this.#fullFor = 5 + this.#choose(30);
  }

  #page(site: number, method: string, params: object): Promise<Came> {
    return this.#came(method, this.#world.begin(method, params, callerOf(site)).answer, site);
  }

  #surface(method: string, params: object): Promise<Came> {
    const popup = { kind: 'surface', page: 'popup' } as const;
    return this.#came(method, this.#world.begin(method, params, popup).answer);
  }

  async #came(method: string, answer: Promise<unknown>, site?: number): Promise<Came> {
    const came = await answer.then(
      (value) => ({ code: 'ok', value }),
      (error: unknown) => ({ code: faultOf(error), value: null }),
    );
    const { code } = came;
    this.tally.count(code);
    if (code === 'ok') return came;
    const isExplained = code === NO_ROOM && this.#full !== undefined;
    this.tally.hold(EXPECTED.has(code) || isExplained, `${method}: ${code}`);
    if (code === 'LOCKED') await this.#unlock();
    const isLost = code === 'NOT_GRANTED' && site !== undefined && this.#granted.has(site);
    this.tally.hold(!isLost, `${method}: the grant of site ${site} is gone`);
    return came;
  }

  /** A store as this worker sees it: nothing settles after its death. */
  #gated<Store extends object>(store: Store): Store {
    const worker = this.#worker;
    const isDead = () => worker.isDead;
    const never = () => new Promise<never>(() => undefined);
    const isFull = () => 'name' in store && store.name === this.#full;
    const gated = (name: string | symbol, work: (...args: unknown[]) => unknown) => {
      if (name === 'watch') {
        return (listener: unknown) => worker.listeners.push(listener as (key: string) => void);
      }
      return async (...args: unknown[]): Promise<unknown> => {
        if (isDead()) return never();
        const [puts] = args;
        if (name === 'write' && isFull() && (puts as Map<string, unknown>).size > 0) {
          throw Object.assign(new Error('The quota has been exceeded.'), {
            name: 'QuotaExceededError',
          });
        }
        const result = await work.apply(store, args);
        return isDead() ? never() : result;
      };
    };
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? gated(name, value as () => unknown) : value;
      },
    });
  }
}

function faultOf(error: unknown): string {
  const { code = String(error), message } = error as { code?: string; message?: string };
  return code === 'INTERNAL' ? `${code}, ${message}` : code;
}

function callerOf(site: number) {
  return pageCaller({ origin: `https://site-${site}.example`, documentId: `doc-${site}` });
}

/** Runs it, and looks at the memory at equal distances. */
export async function soak({ calls, seed, collect, onSample }: SoakOptions): Promise<SoakResult> {
  const run = new Soak(seed);
  const samples: number[] = [];
  await run.begin();
  const every = Math.max(LEAST_BETWEEN_SAMPLES, Math.floor(calls / SAMPLES));
  for (let done = 1; done <= calls; done++) {
    await run.step();
    if (done % every !== 0) continue;
    await run.check();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    samples.push(Math.round(((heapUsed + external) / 2 ** 20) * 100) / 100);
    onSample?.(done, samples.at(-1)!);
  }
  return { ...run.tally.result(), calls, memory: { samples, growthPercent: growth(samples) } };
}

function growth(samples: readonly number[]): number {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const part = Math.max(1, Math.floor(warm.length / 3));
  const median = (some: readonly number[]) =>
    [...some].sort((a, b) => a - b)[Math.floor(some.length / 2)]!;
  const [first, last] = [median(warm.slice(0, part)), median(warm.slice(-part))];
  return Math.round((last / first - 1) * 1000) / 10;
}
