/* What runs in the page. The function is sent there as text, so it holds all that it needs. */

interface Result {
  readonly ok: boolean;
  readonly value: { readonly id: string; readonly payload: unknown };
}
interface Sync {
  encryptRecords(collection: string, records: object[], options: object): Promise<Result[]>;
  decryptRecords(collection: string, records: object[], options: object): Promise<Result[]>;
}
declare const sealwright: { readonly sync: Sync };

/** Milliseconds for each record: best of some turns. */
export interface RecordTimes {
  readonly encrypt: number;
  readonly decrypt: number;
  /** Of the bytes of the records before, and of those after encryption. */
  readonly echoPlain: number;
  readonly echoEncrypted: number;
  readonly singleEncrypt: number;
  readonly singleDecrypt: number;
}

/** Batches, their echoes and single awaited calls, in turns. */
export async function timeRecords(key: string, count: number, turns: number): Promise<RecordTimes> {
  const singles = Math.min(count, 300);
  const options = { key };
  const text = 'x'.repeat(1024 - 40);
  const records = Array.from({ length: count }, (_, i) => ({
    id: `record-${i}`,
    payload: { n: i, text },
  }));
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  let echo: MessagePort;
  const echoed = (bytes: number) => () =>
    new Promise((resolve) => {
      const copy = new Uint8Array(bytes);
      echo.onmessage = resolve;
      echo.postMessage({ way: 'port', bytes: copy }, [copy.buffer]);
    });
  // A new line for each turn: a background without a call for half a minute is ended.
  const newLine = async () => {
    const { port1, port2 } = new MessageChannel();
    postMessage('bench-echo', location.origin, [port2]);
    echo = port1;
    await echoed(1)();
  };
  const { sync } = sealwright;
  const stored = (await sync.encryptRecords('bench', records, options)).map(({ value }) => value);
  const plainBytes = JSON.stringify(records).length;
  const encryptedBytes = JSON.stringify(stored).length;
  const one = (list: object[], way: 'encryptRecords' | 'decryptRecords') => async () => {
    for (let i = 0; i < singles; i++) await sync[way]('bench', [list[i]!], options);
  };
  const checkedDecryption = async () => {
    const opened = await sync.decryptRecords('bench', stored, options);
    const isRight = opened.every(({ ok, value }, i) => ok && value.id === records[i]!.id);
    if (!isRight) throw new Error('a record did not come back');
  };
  const best = {
    encrypt: Infinity,
    decrypt: Infinity,
    echoPlain: Infinity,
    echoEncrypted: Infinity,
    singleEncrypt: Infinity,
    singleDecrypt: Infinity,
  };
  const works: Record<keyof typeof best, [() => Promise<unknown>, number]> = {
    echoPlain: [echoed(plainBytes), count],
    echoEncrypted: [echoed(encryptedBytes), count],
    encrypt: [() => sync.encryptRecords('bench', records, options), count],
    decrypt: [checkedDecryption, count],
    singleEncrypt: [one(records, 'encryptRecords'), singles],
    singleDecrypt: [one(stored, 'decryptRecords'), singles],
  };
  for (let turn = 0; turn < turns; turn++) {
    await newLine();
    for (const name of Object.keys(works) as (keyof typeof best)[]) {
      const [work, each] = works[name];
      best[name] = Math.min(best[name], (await timed(work)) / each);
    }
  }
  return best;
}
