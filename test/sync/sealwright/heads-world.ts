/*
 * Devices that write records of one collection to one server, with what each keeps, and a plain account of what the heads on
 * the server know. Seals are stand-ins: they bind a text to its id, and to nothing else.
 */
import { createHash } from 'node:crypto';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { checkpoint, type SealedItem } from '../../../src/sync/sealwright/checkpoint.ts';
import type { Digest } from '../../../src/sync/sealwright/head-layout.ts';
import { emptyList, listOf, partsOf, type OwnList } from '../../../src/sync/sealwright/own-list.ts';
import {
  verify,
  type Report,
  type StoredItem,
  type VerifyCrypto,
} from '../../../src/sync/sealwright/verify.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** A digest, of SHA-256 in the place of an HMAC. */
export const digestOfText = (text: string | Uint8Array): Digest =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
export const digests = (texts: readonly Uint8Array[]): Digest[] => texts.map(digestOfText);

/** A version of a record. */
export interface Version {
  readonly generation: number;
  /** null: deleted. */
  readonly payload: string | null;
}

/** What a server has, or shows. */
export interface Stored {
  /** By id. */
  readonly records: Map<string, string>;
  /** Heads and chunks. */
  heads: SealedItem[];
}

/** One device. */
export interface Device {
  list: OwnList;
  /** What it wrote last, by id. */
  readonly own: Map<string, Version>;
}

/** How far storing a checkpoint comes. */
export type Reach = 'whole' | 'chunks' | 'nothing';

/** The server, the devices and the time. */
export class HeadsWorld {
  at = 1_700_000_000_000;
  readonly server: Stored = { records: new Map(), heads: [] };
  readonly devices: Device[];
  /** Every version of each record that there was. */
  readonly history = new Map<string, Version[]>();
  /** Every head and chunk that was stored, by id, the oldest first. */
  readonly itemHistory = new Map<string, SealedItem[]>();
  /** What the head of each device knows that is stored, by device and id. */
  readonly published = new Map<string, ReadonlyMap<string, Version>>();
  #nonce = 0;

  constructor(devices: number) {
    this.devices = Array.from({ length: devices }, () => ({
      list: emptyList(this.newDevice()),
      own: new Map(),
    }));
  }

  newDevice = (): string => digestOfText(`device ${this.#nonce++}`);

  /** The version on the server; of a record that is not there, the last one. */
  current(id: string): Version | undefined {
    return this.history.get(id)?.at(-1);
  }

  /** A sealed record, which says its generation to who opens it. */
  sealed(id: string, generation: number): string {
    return `${id}|${generation}|${this.#nonce++}`;
  }

  /** Stores a version of a record, or removes it, and has the device list it. */
  async write(device: Device, id: string, version: Version, reach: Reach = 'whole') {
    this.put(id, version);
    device.own.set(id, version);
    await this.checkpoint(device, [[id, version]], reach);
  }

  /** What a device without heads does. */
  put(id: string, version: Version): void {
    this.history.set(id, [...(this.history.get(id) ?? []), version]);
    if (version.payload === null) this.server.records.delete(id);
    else this.server.records.set(id, version.payload);
  }

  async checkpoint(
    device: Device,
    changes: readonly (readonly [string, Version])[],
    reach: Reach = 'whole',
  ): Promise<readonly SealedItem[]> {
    const made = await checkpoint(
      device.list,
      changes.map(([name, { payload, generation }]) => ({
        id: digestOfText(name),
        name,
        record: payload === null ? null : digestOfText(payload),
        generation,
      })),
      this.at,
      { seal: (id, content) => Promise.resolve(this.#seal(id, content)), digests },
    );
    // As the vault stores it.
    device.list = listOf(partsOf(made.list));
    if (reach !== 'nothing') for (const chunk of made.chunks) this.store(chunk);
    if (reach === 'whole') {
      this.store(made.head);
      this.published.set(device.list.device, new Map(device.own));
    }
    return [made.head, ...made.chunks];
  }

  store(item: SealedItem): void {
    this.server.heads = [...this.server.heads.filter(({ id }) => id !== item.id), item];
    this.itemHistory.set(item.id, [...(this.itemHistory.get(item.id) ?? []), item]);
  }

  /** What a device says of what it is shown. @param ids that the app knows, beside those of the records */
  async verify(
    device: Device,
    shown: Stored = this.server,
    ids: readonly string[] = [],
  ): Promise<Report> {
    const named = ids.filter((id) => !shown.records.has(id)).map((id) => item(id, ''));
    const { report, list } = await verify(
      device.list,
      [...[...shown.records].map(([id, payload]) => item(id, payload)), ...named],
      shown.heads.map(({ id, payload }) => item(id, payload)),
      this.at,
      CRYPTO,
      this.newDevice,
    );
    device.list = listOf(partsOf(list));
    return report;
  }

  /** What all heads know that are stored, and the device itself: the versions of the highest generation. */
  known(device: Device): Map<string, Version[]> {
    const known = new Map<string, Version[]>();
    for (const versions of [...this.published.values(), device.own]) {
      for (const [id, version] of versions) {
        const before = known.get(id) ?? [];
        const [{ generation } = { generation: -1 }] = before;
        if (version.generation > generation) known.set(id, [version]);
        else if (version.generation === generation) known.set(id, [...before, version]);
      }
    }
    return known;
  }

  /** The server as it is now, for an attacker to change. */
  copied(): Stored {
    return { records: new Map(this.server.records), heads: [...this.server.heads] };
  }

  #seal(id: string, content: Uint8Array): Uint8Array {
    return bytesOf(`${id}|${this.#nonce++}|${Buffer.from(content).toString('base64')}`);
  }
}

/** As the server has it. */
export const item = (id: string, payload: string): StoredItem => ({
  id,
  payload: bytesOf(payload),
});

/** Over stand-ins. */
export const CRYPTO: VerifyCrypto = {
  digests,
  open: ({ id, payload }) => {
    const [sealedAs, , content] = textOf(payload).split('|');
    return sealedAs !== id || content === undefined
      ? Promise.reject(new AuthenticationError())
      : Promise.resolve(Buffer.from(content, 'base64'));
  },
  generations: (records) =>
    Promise.resolve(
      records.map(({ id, payload }) => {
        const [sealedAs, generation] = textOf(payload).split('|');
        return sealedAs === id && generation !== undefined ? Number(generation) : undefined;
      }),
    ),
};
