import type { ParamsOf, ResultOf, UiMethod } from '../../../../src/rpc/methods/methods.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';

/** A fake device that pairs: what it offers, and what it takes. */
export interface DevicesWorld {
  passphrase: string;
  offer: ResultOf<'ui.ownOffer'>;
  parcel: ResultOf<'ui.checkParcel'>;
}

const WORDS = [5_120, 33, 7_001, 2_418, 904, 6_333];

export const ownOffer: NonNullable<DevicesWorld['offer']> = {
  offer: new Uint8Array(1_250),
  name: 'New laptop',
  words: WORDS,
  until: Date.now() + 9 * 60_000,
};

export const joining: ResultOf<'ui.checkParcel'> = {
  outcome: 'opened',
  joining: {
    name: 'Old laptop',
    anew: { here: ['https://notes.example.org'], there: ['https://photos.example'] },
    changedSince: 1,
    forgotten: 2,
  },
};

type DeviceMethods = Extract<
  UiMethod,
  | 'ui.ownOffer'
  | 'ui.makeOffer'
  | 'ui.endOffer'
  | 'ui.readOffer'
  | 'ui.giveToDevice'
  | 'ui.checkParcel'
  | 'ui.takeParcel'
>;

export function devicesImplementations(world: DevicesWorld): {
  [M in DeviceMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.ownOffer': () => world.offer,
    'ui.makeOffer': ({ name }) => (world.offer = { ...ownOffer, name }),
    'ui.endOffer': () => {
      world.offer = null;
      return {};
    },
    'ui.readOffer': () => ({
      name: 'New laptop',
      at: Date.now() - 60_000,
      isStale: false,
      choices: [WORDS.toReversed(), WORDS, WORDS.map((place) => (place * 7) % 7_776)],
    }),
    'ui.giveToDevice': ({ by }) => {
      const isRight = 'passphrase' in by && by.passphrase === world.passphrase;
      if (!isRight) throw new SealwrightError('AUTH_FAILED', 'wrong');
      return { parcel: new Uint8Array(4_000), digits: '402817' };
    },
    'ui.checkParcel': () => world.parcel,
    'ui.takeParcel': () => {
      world.offer = null;
      return { isForked: false };
    },
  };
}
