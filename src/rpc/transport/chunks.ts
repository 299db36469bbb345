/*
 * Large payloads in pieces. A runtime port copies every message several times and refuses 64 MiB,
 * so a message with more bytes than fit inline becomes a parcel: first the message without its
 * bytes, then, after the receiver's first acknowledgement, the bytes in pieces, of which a few may be
 * unacknowledged. Where several origins send, the receiver withholds acknowledgements, so that they take
 * turns. Both ends are state machines over messages and independent of the port.
 *
 *   sender                                   receiver
 *   parcel 1 {body, paths, lengths}   →      waits until the bytes fit its budget
 *                                     ←      ack 1, received 0
 *   piece 1, piece 1, piece 1, piece 1 →     copies each to its place
 *                                     ←      ack 1, received 512 KiB …
 *   piece 1 (the last)                →      puts the bytes back into the body and delivers it
 */
import { attach, compact, detach, eachBytes, isCompact } from './attachments.ts';
import type { Attachment } from './attachments.ts';
import type { Budget, Claim } from './budget.ts';
import {
  failure,
  MAX_PARCEL_BYTES,
  MAX_PIECE_BYTES,
  parseMessage,
  PROTOCOL_VERSION,
} from '../envelope.ts';
import type { Message, MessageOf } from '../envelope.ts';
import { tooBusy, toWire } from '../errors.ts';
import { plainValue } from './plain-value.ts';
import type { Timers } from '../timers.ts';

/** From which size messages are cut, and how. */
export interface ChunkSizes {
  /** Messages up to this many bytes travel as one: 64 KiB, where one trip costs about 1 ms. */
  readonly inlineBytes: number;
  readonly pieceBytes: number;
  /** Sent and not yet acknowledged. Four pieces keep both browsers' ports busy. */
  readonly windowBytes: number;
}

/** The sizes that runtime ports carry well. */
export const PIECE_SIZES: ChunkSizes = {
  inlineBytes: 64 * 1024,
  pieceBytes: MAX_PIECE_BYTES,
  windowBytes: 4 * MAX_PIECE_BYTES,
};

/** An announced message whose bytes do not fit the budget for this long is refused. */
export const WAIT_MS = 120_000;

/** A peer that has not sent all of an announced message after this long, waits for turns not counted, is disconnected. */
export function transferMs(bytes: number): number {
  return TRANSFER_GRACE_MS + Math.ceil(bytes / TRANSFER_BYTES_PER_MS);
}
/** For a peer whose thread is busy. */
const TRANSFER_GRACE_MS = 10_000;
/** 2 MiB/s, a hundredth of what a port does. What is half received keeps other messages waiting. */
const TRANSFER_BYTES_PER_MS = (2 * 1024 * 1024) / 1000;

/** What a message receives in one turn, while others wait for theirs. */
export const TURN_BYTES = 2 * PIECE_SIZES.windowBytes;
/** A turn whose sender is slower is over for the others: what it has under way is little. */
export const TURN_MS = 100;

const RETRY_AFTER_MS = 500;

/** Parcels announced at the same time on one channel. Each holds a message's body. */
export const MAX_PARCELS = 512;

type Emit = (message: unknown) => void;

interface Outgoing {
  readonly body: unknown;
  readonly bytes: ByteRun;
  sentBytes: number;
}

/** Cuts large messages into parcels and pieces, and sends them as they are acknowledged. */
export class ChunkSender {
  readonly #emit: Emit;
  readonly #sizes: ChunkSizes;
  readonly #outgoing = new Map<number, Outgoing>();
  #lastParcel = 0;

  constructor(emit: Emit, sizes: ChunkSizes = PIECE_SIZES) {
    this.#emit = emit;
    this.#sizes = sizes;
  }

  /** Emits the message, at once or in pieces. Its bytes must not change until all are sent. */
  send(message: unknown): void {
    if (this.#dropAborted(message)) return;
    if (isReady(message, this.#sizes.inlineBytes)) {
      this.#emit(message);
      return;
    }
    const { body, attachments } = detach(message);
    const bytes = new ByteRun(attachments.map((attachment) => attachment.bytes));
    if (bytes.lengthBytes <= this.#sizes.inlineBytes) this.#emit(withCompact(body, attachments));
    else this.#announce(body, attachments, bytes);
  }

  #announce(body: unknown, attachments: Attachment[], bytes: ByteRun): void {
    const parcel = ++this.#lastParcel;
    this.#outgoing.set(parcel, { body, bytes, sentBytes: 0 });
    this.#emit({
      v: PROTOCOL_VERSION,
      kind: 'parcel',
      parcel,
      body,
      paths: attachments.map(({ path }) => path),
      lengths: attachments.map((attachment) => attachment.bytes.length),
    } satisfies Message);
  }

  /** A request that is aborted before all of it was sent is dropped instead: it has not arrived. */
  #dropAborted(message: unknown): boolean {
    const { kind, id } = message as { kind?: unknown; id?: unknown };
    if (kind !== 'abort') return false;
    let isDropped = false;
    this.#outgoing.forEach(({ body }, parcel) => {
      if ((body as { id?: unknown }).id !== id) return;
      this.#outgoing.delete(parcel);
      this.#emit({ v: PROTOCOL_VERSION, kind: 'drop', parcel } satisfies Message);
      isDropped = true;
    });
    return isDropped;
  }

  /** Forgets a request that was answered before it was sent: it was refused. */
  answered(id: unknown): void {
    this.#outgoing.forEach(({ body }, parcel) => {
      if ((body as { id?: unknown }).id === id) this.#outgoing.delete(parcel);
    });
  }

  /** Ignores acknowledgements of parcels that are sent completely or do not exist. */
  acknowledged({ parcel, received }: MessageOf<'ack'>): void {
    const outgoing = this.#outgoing.get(parcel);
    if (!outgoing) return;
    const { lengthBytes } = outgoing.bytes;
    const end = Math.min(received + this.#sizes.windowBytes, lengthBytes);
    while (outgoing.sentBytes < end) this.#sendPiece(parcel, outgoing);
    if (outgoing.sentBytes === lengthBytes) this.#outgoing.delete(parcel);
  }

  #sendPiece(parcel: number, outgoing: Outgoing): void {
    const start = outgoing.sentBytes;
    const end = Math.min(start + this.#sizes.pieceBytes, outgoing.bytes.lengthBytes);
    outgoing.sentBytes = end;
    const bytes = outgoing.bytes.slice(start, end);
    this.#emit({ v: PROTOCOL_VERSION, kind: 'piece', parcel, bytes } satisfies Message);
  }
}

interface Incoming {
  readonly message: MessageOf<'parcel'>;
  /** Memory, and then what the origin may have under way to this thread. */
  readonly claims: readonly Claim[];
  readonly releaseBody: () => void;
  bytes: ByteRun | undefined; // once admitted
  receivedBytes: number;
  /** What its sender may have sent. */
  allowedBytes: number;
  /** Runs out when it has waited for room too long, and then when it has not arrived in time. */
  timer: unknown;
  turn: Turn | undefined;
}

/** The time in which a message is received, of one that shares the thread with others. */
interface Turn {
  readonly claim: Claim;
  /** What may have been received before others get theirs. */
  readonly endBytes: number;
  /** What its sender has for the rest, when the turn begins. */
  readonly leftMs: number;
  beganAt: number;
  timer: unknown;
}

/**
 * Holds the memory of a message's body from its announcement on.
 *
 * @returns what gives it back; undefined where it does not fit
 */
export type HoldBody = (bytes: number) => (() => void) | undefined;

/** What a receiver of chunks needs of its channel. */
export interface ChunkReceiverDeps {
  readonly emit: Emit;
  /** Receives each complete message. */
  readonly deliver: (message: unknown) => void;
  /** The peer broke the protocol or stalled: the channel has to be closed. */
  readonly fail: () => void;
  readonly budget: Budget;
  /**
   * What all senders of the peer's origin may have under way together. Absent: each message has as much as one sender may.
   */
  readonly windows?: Budget | undefined;
  /** What the senders of all origins that keep to their turns may have under way. Absent: messages come without turns. */
  readonly turns?: Budget | undefined;
  /** Absent: the peer is trusted with the bodies of its messages, and sends others than requests. */
  readonly holdBody?: HoldBody | undefined;
  readonly timers: Timers;
}

/** Puts pieces back together. Any violation of the protocol closes the channel. */
export class ChunkReceiver {
  readonly #deps: ChunkReceiverDeps;
  readonly #incoming = new Map<number, Incoming>();

  constructor(deps: ChunkReceiverDeps) {
    this.#deps = deps;
  }

  parcel(announced: MessageOf<'parcel'>): void {
    const { parcel, lengths, paths } = announced;
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const isSound = total > 0 && total <= MAX_PARCEL_BYTES && lengths.length === paths.length;
    const isFull = this.#incoming.size >= MAX_PARCELS;
    if (!isSound || isFull || this.#incoming.has(parcel)) {
      this.#deps.fail();
      return;
    }
    const held = this.#held(announced);
    if (!held) {
      this.#refuse(announced);
      return;
    }
    const { budget, windows, timers } = this.#deps;
    const memory = budget.claim(total);
    const underWay = windows?.claim(Math.min(total, PIECE_SIZES.windowBytes));
    const claims = underWay ? [memory, underWay] : [memory];
    const timer = timers.start(() => this.#waitedTooLong(incoming), WAIT_MS);
    const begun = { bytes: undefined, receivedBytes: 0, allowedBytes: 0, timer, turn: undefined };
    const incoming: Incoming = { ...held, claims, ...begun };
    this.#incoming.set(parcel, incoming);
    const goAhead = (): void => this.#goAhead(incoming);
    memory.enter(underWay ? () => underWay.enter(goAhead) : goAhead);
  }

  /** The message with its body rebuilt, so that no more is kept than was counted. */
  #held(message: MessageOf<'parcel'>): Pick<Incoming, 'message' | 'releaseBody'> | undefined {
    const { holdBody } = this.#deps;
    if (!holdBody) return { message, releaseBody: () => undefined };
    const request = parseMessage(message.body);
    if (request?.kind !== 'request') return undefined;
    const { params } = request;
    const { paths, lengths } = message;
    try {
      const { value, weight } = plainValue({ params, paths, lengths }, 'params');
      const body = { ...request, params: (value as { params: unknown }).params };
      const releaseBody = holdBody(weight);
      return releaseBody && { message: { ...message, body }, releaseBody };
    } catch {
      // More than content scripts forward.
      return undefined;
    }
  }

  /** Answers a request in place of the server. Anything else closes the channel. */
  #refuse({ body }: MessageOf<'parcel'>): void {
    const request = parseMessage(body);
    if (request?.kind !== 'request') this.#deps.fail();
    else this.#deps.emit(failure(request.id, toWire(tooBusy(RETRY_AFTER_MS))));
  }

  #waitedTooLong(incoming: Incoming): void {
    this.#drop(incoming, incoming.message.parcel);
    this.#refuse(incoming.message);
  }

  #goAhead(incoming: Incoming): void {
    incoming.bytes = new ByteRun(incoming.message.lengths.map((length) => new Uint8Array(length)));
    this.#deps.timers.stop(incoming.timer);
    this.#begin(incoming, transferMs(incoming.bytes.lengthBytes));
  }

  /** Lets the sender go on, when it is this message's turn. @param leftMs the time that its sender has for the rest */
  #begin(incoming: Incoming, leftMs: number): void {
    const { turns, timers, fail } = this.#deps;
    const goOn = (): void => {
      incoming.timer = timers.start(fail, leftMs);
      this.#acknowledge(incoming);
    };
    if (!turns) {
      goOn();
      return;
    }
    const rest = incoming.bytes!.lengthBytes - incoming.receivedBytes;
    const claim = turns.claim(Math.min(rest, PIECE_SIZES.windowBytes));
    const endBytes = incoming.receivedBytes + TURN_BYTES;
    const turn: Turn = { claim, endBytes, leftMs, beganAt: 0, timer: undefined };
    incoming.turn = turn;
    claim.enter(() => {
      turn.beganAt = performance.now();
      turn.timer = timers.start(() => claim.leave(), TURN_MS);
      goOn();
    });
  }

  /** Once all has arrived that the sender may have sent, so that nothing of it is under way in the turns of others. */
  #endTurn(incoming: Incoming, { beganAt, leftMs }: Turn): void {
    this.#leaveTurn(incoming);
    this.#deps.timers.stop(incoming.timer);
    this.#begin(incoming, leftMs - (performance.now() - beganAt));
  }

  #leaveTurn({ turn }: Incoming): void {
    if (!turn) return;
    this.#deps.timers.stop(turn.timer);
    turn.claim.leave();
  }

  #acknowledge(incoming: Incoming): void {
    const { parcel } = incoming.message;
    const received = incoming.receivedBytes;
    incoming.allowedBytes = received + PIECE_SIZES.windowBytes;
    this.#deps.emit({ v: PROTOCOL_VERSION, kind: 'ack', parcel, received } satisfies Message);
  }

  piece({ parcel, bytes }: MessageOf<'piece'>): void {
    const incoming = this.#incoming.get(parcel);
    const room = (incoming?.bytes?.lengthBytes ?? 0) - (incoming?.receivedBytes ?? 0);
    if (!incoming?.bytes || bytes.length === 0 || bytes.length > room) {
      this.#deps.fail();
      return;
    }
    incoming.bytes.write(incoming.receivedBytes, bytes);
    incoming.receivedBytes += bytes.length;
    const { turn, receivedBytes } = incoming;
    const isOver = turn && receivedBytes >= turn.endBytes && this.#deps.turns!.isAwaited;
    if (bytes.length === room) this.#complete(incoming);
    else if (!isOver) this.#acknowledge(incoming);
    else if (receivedBytes >= incoming.allowedBytes) this.#endTurn(incoming, turn);
  }

  #complete(incoming: Incoming): void {
    const { body, paths, parcel } = incoming.message;
    const { parts } = incoming.bytes!;
    this.#drop(incoming, parcel);
    if (paths.every((path, i) => attach(body, path, parts[i]!))) this.#deps.deliver(body);
    else this.#deps.fail();
  }

  #drop(incoming: Incoming, parcel: number): void {
    this.#deps.timers.stop(incoming.timer);
    this.#leaveTurn(incoming);
    this.#incoming.delete(parcel);
    for (const claim of incoming.claims) claim.leave();
    incoming.releaseBody();
  }

  drop({ parcel }: MessageOf<'drop'>): void {
    const incoming = this.#incoming.get(parcel);
    if (incoming) this.#drop(incoming, parcel);
  }

  /** Drops everything half received. */
  clear(): void {
    this.#incoming.forEach((incoming, parcel) => this.#drop(incoming, parcel));
  }
}

/** Several arrays as one run of bytes. Reads and writes go forward, so the position is stored. */
class ByteRun {
  readonly parts: readonly Uint8Array[];
  readonly lengthBytes: number;
  #part = 0;
  #partStart = 0;

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
    this.lengthBytes = parts.reduce((sum, part) => sum + part.length, 0);
  }

  slice(start: number, end: number): Uint8Array {
    const target = new Uint8Array(end - start);
    this.#walk(start, end, (part, partOffset, offset, length) => {
      target.set(part.subarray(partOffset, partOffset + length), offset);
    });
    return target;
  }

  write(start: number, source: Uint8Array): void {
    this.#walk(start, start + source.length, (part, partOffset, offset, length) => {
      part.set(source.subarray(offset, offset + length), partOffset);
    });
  }

  #walk(
    start: number,
    end: number,
    visit: (part: Uint8Array, partOffset: number, offset: number, length: number) => void,
  ): void {
    for (let at = start; at < end;) {
      const part = this.parts[this.#part]!;
      const partOffset = at - this.#partStart;
      const length = Math.min(part.length - partOffset, end - at);
      visit(part, partOffset, at - start, length);
      at += length;
      if (partOffset + length === part.length) this.#next(part.length);
    }
  }

  #next(lengthBytes: number): void {
    this.#part++;
    this.#partStart += lengthBytes;
  }
}

/** Whether a message can be sent unchanged, as most can. */
function isReady(message: unknown, inlineBytes: number): boolean {
  let total = 0;
  let views = 0;
  eachBytes(message, (bytes) => {
    total += bytes.length;
    if (!isCompact(bytes)) views++;
  });
  return views === 0 && total <= inlineBytes;
}

function withCompact(body: unknown, attachments: readonly Attachment[]): unknown {
  for (const { path, bytes } of attachments) attach(body, path, compact(bytes));
  return body;
}
