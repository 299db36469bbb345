import type { Call, Implementations } from '../../rpc/call.ts';
import type { WireKeyInfo } from '../../rpc/methods/subtle-values.ts';
import { outcomeOf } from './errors.ts';
import type { Dispatcher } from './dispatcher.ts';
import { exampleFor, type NamedKeys } from './named/named-keys.ts';
import type { PersistentKeys } from './persistent-keys.ts';
import type { MadeKeys } from './session-keys.ts';
import type { SubtleKeys } from './subtle-keys.ts';

interface Deps {
  readonly subtleKeys: SubtleKeys;
  readonly dispatcher: Dispatcher;
  readonly namedKeys: NamedKeys;
  readonly persistentKeys: PersistentKeys;
}

type Name = Extract<keyof Implementations, `subtle.${string}`>;
type Methods = Pick<Implementations, Name>;

/**
 * `subtle` of pages. The workshop does the work, to the standard's letter; here keys are found and kept, and
 * errors become results.
 */
export function subtleMethods(deps: Deps): Methods {
  return { ...usingKeys(deps), ...makingKeys(deps), ...readingTheVault(deps) };
}

function usingKeys({ dispatcher }: Deps) {
  return {
    'subtle.decapsulateBits': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.decapsulateBits', params, call)),
    'subtle.decrypt': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.decrypt', params, call)),
    'subtle.deriveBits': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.deriveBits', params, call)),
    'subtle.digest': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.digest', params, call)),
    'subtle.encapsulateBits': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.encapsulateBits', params, call)),
    'subtle.encrypt': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.encrypt', params, call)),
    'subtle.exportKey': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.exportKey', params, call)),
    'subtle.sign': (params, call) => outcomeOf(() => dispatcher.run('subtle.sign', params, call)),
    'subtle.verify': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.verify', params, call)),
    'subtle.wrapKey': (params, call) =>
      outcomeOf(() => dispatcher.run('subtle.wrapKey', params, call)),
  } satisfies Partial<Methods>;
}

function makingKeys({ dispatcher, subtleKeys: keys }: Deps) {
  const one = (call: Call, work: () => Promise<MadeKeys>) =>
    outcomeOf(async (): Promise<WireKeyInfo> => (await keys.keep(call, work))[0]!);
  return {
    'subtle.decapsulateKey': (params, call) =>
      one(call, () => dispatcher.make('subtle.decapsulateKey', params, call)),
    'subtle.deriveKey': (params, call) =>
      one(call, () => dispatcher.make('subtle.deriveKey', params, call)),
    'subtle.encapsulateKey': (params, call) =>
      outcomeOf(() => keys.keepEncapsulated(call, () => dispatcher.encapsulate(params, call))),
    'subtle.generateKey': (params, call) =>
      outcomeOf(async () => {
        const made = await keys.keep(call, () =>
          dispatcher.make('subtle.generateKey', params, call),
        );
        return made.length === 1 ? made[0]! : { publicKey: made[0]!, privateKey: made[1]! };
      }),
    'subtle.getPublicKey': (params, call) =>
      one(call, () => dispatcher.make('subtle.getPublicKey', params, call)),
    'subtle.importKey': (params, call) =>
      one(call, () => dispatcher.make('subtle.importKey', params, call)),
    'subtle.unwrapKey': (params, call) =>
      one(call, () => dispatcher.make('subtle.unwrapKey', params, call)),
  } satisfies Partial<Methods>;
}

/** The methods of keys that the user owns, of keys by reference, and of keys that a page lets go. */
function readingTheVault({ dispatcher, subtleKeys: keys, namedKeys, persistentKeys }: Deps) {
  return {
    'subtle.deleteKey': ({ reference }, call) =>
      outcomeOf(async () => {
        await persistentKeys.delete(reference, call);
        return {};
      }),
    'subtle.dropKeys': async ({ keys: handles }, call) => {
      await keys.drop(call, handles);
      return {};
    },
    'subtle.exportReference': ({ key: handle }, call) =>
      outcomeOf(() => keys.reference(handle, call)),
    'subtle.importNamedKey': (request, call) =>
      outcomeOf(async () => {
        const [made] = await keys.keep(call, async () => {
          const example = await exampleFor(request);
          const [like] = await dispatcher.make('subtle.importKey', example, call);
          return [await namedKeys.imported(request, like!, call)];
        });
        return made!;
      }),
    'subtle.importReference': (request, call) =>
      outcomeOf(async () => {
        const [made] = await keys.keep(call, async () => [
          await persistentKeys.imported(request, call),
        ]);
        return made!;
      }),
  } satisfies Partial<Methods>;
}
