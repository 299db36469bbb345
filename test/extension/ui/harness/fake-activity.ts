import type { ParamsOf, ResultOf, SurfaceMethod } from '../../../../src/rpc/methods.ts';

const MINUTE = 60_000;
const NOW = Date.now();

type Entry = ResultOf<'ui.activity'>['entries'][number];

/** What a fake audit log holds. */
export interface ActivityWorld {
  activity: Entry[];
  usage: ResultOf<'ui.activityUsage'>;
}

const app = { ref: 'app', kind: 'app', label: 'App key' };
const photos = { ref: 'k1', kind: 'sealing', label: 'Family photos' };
const gone = { ref: 'k9', kind: '', label: '' };

function entry(minutesAgo: number, changes: Partial<Entry>): Entry {
  const from = NOW - minutesAgo * MINUTE;
  const usual = { from, until: from, origin: null, container: null, key: null };
  return { ...usual, operation: 'unlock', result: 'ok', uses: 1, bytes: 0, ...changes };
}

const notes = { origin: 'https://notes.example.org', key: app };
const album = { origin: 'https://xn--bcher-kva.example', key: photos };

export const activityWorld = (): ActivityWorld => ({
  activity: [
    entry(2, { ...notes, operation: 'seal', uses: 214, bytes: 1_830_000 }),
    entry(4, { ...notes, operation: 'openMany', uses: 1200, bytes: 734_003 }),
    entry(9, { ...album, operation: 'releaseOpen', bytes: 734_003_200 }),
    entry(12, { ...album, operation: 'open', result: 'EXPIRED', uses: 3, bytes: 3000 }),
    entry(15, { ...notes, operation: 'grant' }),
    entry(16, {}),
    entry(17, { result: 'AUTH_FAILED', uses: 2 }),
    entry(600, { operation: 'lock' }),
    entry(660, { ...album, key: gone, operation: 'seal', bytes: 512 }),
    entry(2000, { operation: 'makeBackup' }),
  ],
  usage: [
    { origin: 'https://notes.example.org', uses: 1414, refused: 0, bytes: 2_564_003 },
    { origin: 'https://xn--bcher-kva.example', uses: 2, refused: 3, bytes: 734_003_712 },
    { origin: 'https://chat.example.com', uses: 310, refused: 12, bytes: 96_000 },
  ],
});

type ActivityMethod = Extract<SurfaceMethod, `ui.${string}ctivity${string}`>;

export function activityImplementations(world: ActivityWorld): {
  [M in ActivityMethod]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.activity': ({ offset, limit, by, origin, operation, outcome }) => {
      const wanted = world.activity.filter(
        (each) =>
          (by === undefined || (by === 'user') === (each.origin === null)) &&
          (origin === undefined || each.origin === origin) &&
          (operation === undefined || each.operation === operation) &&
          (outcome === undefined || (outcome === 'ok') === (each.result === 'ok')),
      );
      const origins = world.activity.map((each) => each.origin).filter((each) => each !== null);
      return {
        total: wanted.length,
        entries: wanted.slice(offset, offset + limit),
        origins: [...new Set(origins)],
        operations: [...new Set(world.activity.map((each) => each.operation))],
      };
    },
    'ui.activityUsage': () => world.usage,
    'ui.exportActivity': () => ({ entries: world.activity }),
    'ui.clearActivity': () => {
      world.activity = [];
      world.usage = [];
      return {};
    },
  };
}
