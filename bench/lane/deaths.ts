import type { BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';

/*
 * A long stream, sealed and opened, whose background is killed again and again. Its chunks are
 * sealed in the content script, so the stream should not even notice.
 */

const EVERY_MS = 1_000;

interface State {
  done: number;
  result?: string;
}
type World = typeof globalThis & { death: State; sealwright: Streams };
interface Streams {
  sealStream(): TransformStream<Uint8Array, Uint8Array>;
  openStream(): TransformStream<Uint8Array, Uint8Array>;
}

/**
 * @returns how often the background was killed meanwhile
 * @throws Error when not all bytes came out as they went in
 */
export async function deathsSurvived(
  session: BrowserSession,
  site: Tab,
  bytes: number,
): Promise<number> {
  await site.evaluate(start, bytes);
  for (let deaths = 0; ; deaths++) {
    await new Promise((resume) => setTimeout(resume, EVERY_MS));
    const { result } = await site.evaluate(() => (globalThis as World).death);
    if (result === 'all there') return deaths;
    if (result !== undefined) throw new Error(`a stream through deaths: ${result}`);
    await session.killBackground();
  }
}

/** In the page: begins, and tells in `globalThis.death` how it goes. Each piece has its own number. */
function start(bytes: number): void {
  const pieceBytes = 2 ** 20;
  const world = globalThis as World;
  const state: State = { done: 0 };
  world.death = state;
  let given = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = new Uint8Array(pieceBytes);
      new DataView(piece.buffer).setFloat64(pieceBytes - 8, given);
      controller.enqueue(piece);
      given += pieceBytes;
      if (given >= bytes) controller.close();
    },
  });
  const sink = new WritableStream<Uint8Array>({
    write(piece) {
      const view = new DataView(piece.buffer, piece.byteOffset, piece.length);
      if (piece.length !== pieceBytes || view.getFloat64(pieceBytes - 8) !== state.done) {
        throw new Error(`wrong at ${state.done}`);
      }
      state.done += piece.length;
    },
  });
  const { sealwright } = world;
  source
    .pipeThrough(sealwright.sealStream())
    .pipeThrough(sealwright.openStream())
    .pipeTo(sink)
    .then(
      () => (state.result = state.done === bytes ? 'all there' : `${state.done} bytes`),
      (error: unknown) => (state.result = String(error)),
    );
}
