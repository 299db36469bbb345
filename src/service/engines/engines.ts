import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { ResultOf } from '../../rpc/methods/methods.ts';
import { NEVER, type ThresholdRow } from '../../rpc/thresholds.ts';

/**
 * The engines of the background: what there is, and, for the workshop, how fast each was on this machine.
 *
 * A worker that wakes asks no engine anything: their names are remembered until the browser ends,
 * and modules of WebAssembly are not read before the first piece of work.
 */

interface Deps {
  readonly messageCrypto: Pick<MessageCrypto, 'engines'>;
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
/** Whether the user has switched the graphics card on. */
const CARD_IS_ON = 'graphics-card';
const CARDS = ['webgpu', 'webgl'] as const;

const isOfCard = ({ engine }: ThresholdRow): boolean =>
  (CARDS as readonly string[]).includes(engine);

const isEverFaster = ({ fromBytes }: ThresholdRow): boolean => fromBytes < NEVER;

/** A shorter message is never faster on a card, transfers included. */
const CARD_MIN_BYTES = 64 * 1024;

async function measuredRows(
  notes: SessionStore,
  version: string,
): Promise<readonly ThresholdRow[]> {
  const measured = (await notes.get(MEASURED)) as Measured | undefined;
  return measured?.version === version ? measured.rows : [];
}

/** The engines that this browser has, with their self-tests and the user’s choice. */
export class Engines {
  readonly #deps: Deps;
  #names: readonly string[] | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Those that work here, in the order of preference. Pages are not told of the graphics card. */
  async names(): Promise<readonly string[]> {
    this.#names ??= await this.#rememberedNames();
    return this.#names;
  }

  /** Keeps what the self-test measured, for this version of the extension. */
  async keepThresholds(rows: readonly ThresholdRow[]): Promise<void> {
    const { notes, version } = this.#deps;
    await notes.set(MEASURED, { version, rows } satisfies Measured);
  }

  /** The user's switch, off at first; and what this version's self-test found: null where it has not measured a card. */
  async card(): Promise<ResultOf<'ui.graphicsCard'>> {
    const { notes, version } = this.#deps;
    const on = (await notes.get(CARD_IS_ON)) === true;
    const measured = (await measuredRows(notes, version)).filter(isOfCard);
    return { on, fasterFrom: measured.length === 0 ? null : measured.filter(isEverFaster) };
  }

  /** What was measured, where the user has switched the card on and it may be faster for such a message of a page. */
  async cardFor(bytes: number): Promise<readonly ThresholdRow[] | undefined> {
    if (bytes < CARD_MIN_BYTES) return undefined;
    const { notes, version } = this.#deps;
    if ((await notes.get(CARD_IS_ON)) !== true) return undefined;
    const rows = await measuredRows(notes, version);
    return rows.some((row) => isOfCard(row) && row.fromBytes <= bytes) ? rows : undefined;
  }

  /** Has an effect on the calls that follow. */
  async switchCard(on: boolean): Promise<void> {
    await this.#deps.notes.set(CARD_IS_ON, on);
  }

  async #rememberedNames(): Promise<readonly string[]> {
    const { messageCrypto, session } = this.#deps;
    const remembered = (await session.get(NAMES)) as readonly string[] | undefined;
    if (remembered !== undefined) return remembered;
    const names = await messageCrypto.engines();
    await session.set(NAMES, names);
    return names;
  }
}

/** The methods of the extension's own pages that show and choose engines. */
export function engineMethods({
  engines,
}: {
  readonly engines: Engines;
}): Pick<Implementations, 'ui.keepThresholds' | 'ui.graphicsCard' | 'ui.setGraphicsCard'> {
  return {
    'ui.graphicsCard': () => engines.card(),
    async 'ui.setGraphicsCard'({ on }) {
      await engines.switchCard(on);
      return {};
    },
    async 'ui.keepThresholds'({ thresholds }) {
      await engines.keepThresholds(thresholds);
      return {};
    },
  };
}
