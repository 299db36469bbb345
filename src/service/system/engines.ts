import type { Registry } from '../../engine/registry.ts';
import { fromRows, type ThresholdRow } from '../../engine/thresholds.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Implementations } from '../../rpc/call.ts';

/**
 * The engines of the background: what there is, and how fast each was on this machine.
 *
 * A worker that wakes asks no engine anything: their names are remembered until the browser ends,
 * and modules of WebAssembly are not read before the first piece of work.
 */

interface Deps {
  /** Only this class may ask it before `ready`. */
  readonly registry: Registry;
  /** Ends with the browser, and with an update of the extension: then engines may be others. */
  readonly session: SessionStore;
  readonly notes: SessionStore;
  readonly version: string;
}

/** What was measured with another version says nothing about this one. */
interface Measured {
  readonly version: string;
  readonly rows: readonly ThresholdRow[];
}

const NAMES = 'engines';
const MEASURED = 'thresholds';

/** The engines that this browser has, with their self-tests and the user’s choice. */
export class Engines {
  readonly #deps: Deps;
  #names: readonly string[] | undefined;
  #hasMeasured = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Those that work here, in the order of preference. */
  async names(): Promise<readonly string[]> {
    this.#names ??= await this.#rememberedNames();
    return this.#names;
  }

  /** The registry, probed, with the thresholds of this machine where the self-test found them. */
  async ready(): Promise<Registry> {
    const { registry, notes, version } = this.#deps;
    if (!this.#hasMeasured) {
      const measured = (await notes.get(MEASURED)) as Measured | undefined;
      if (measured?.version === version) this.#use(measured.rows);
    }
    await registry.ready();
    return registry;
  }

  /** Puts in what the self-test measured, now and for all workers to come. */
  async keepThresholds(rows: readonly ThresholdRow[]): Promise<void> {
    const { notes, version } = this.#deps;
    await notes.set(MEASURED, { version, rows } satisfies Measured);
    this.#use(rows);
  }

  #use(rows: readonly ThresholdRow[]): void {
    this.#deps.registry.useThresholds(fromRows(rows));
    this.#hasMeasured = true;
  }

  async #rememberedNames(): Promise<readonly string[]> {
    const { registry, session } = this.#deps;
    const remembered = (await session.get(NAMES)) as readonly string[] | undefined;
    if (remembered !== undefined) return remembered;
    await registry.ready();
    const names = registry.available();
    await session.set(NAMES, names);
    return names;
  }
}

/** The methods of the extension's own pages that show and choose engines. */
export function engineMethods({
  engines,
}: {
  readonly engines: Engines;
}): Pick<Implementations, 'ui.keepThresholds'> {
  return {
    async 'ui.keepThresholds'({ thresholds }) {
      await engines.keepThresholds(thresholds);
      return {};
    },
  };
}
