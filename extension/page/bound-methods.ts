import {
  create,
  defineProperty,
  freeze,
  ownKeys,
  setPrototypeOf,
} from '../../src/rpc/primordials.ts';
import { boundTo } from './primordials.ts';

type Method = (...args: never[]) => unknown;
interface Found {
  readonly get?: Method;
  readonly value?: Method;
}
const { getOwnPropertyDescriptor } = Object;

/**
 * Binds what a class has to its instances, so that pages may take methods off one, `const { seal } = sealwright`, and
 * reach one through a Proxy or `Object.create`, whose receiver has no private members. Each instance gets a prototype of
 * its own with the bound methods and getters, between it and the class. Own properties would do for the first, but a
 * Proxy may not replace what is frozen.
 *
 * @param prototype of the class
 * @param inherited further methods, of a class that the browser has
 * @returns to be called by the constructor with each instance, before that is frozen
 */
export function bindsMethods(
  prototype: object,
  inherited: Readonly<Record<string, Method>> = {},
): (instance: object) => void {
  const found = create(null) as Record<string, Found>;
  const add = (from: object): void => {
    const names = ownKeys(from) as string[];
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      if (typeof name === 'string') {
        found[name] = getOwnPropertyDescriptor(from, name) as Found;
      }
    }
  };
  add(inherited);
  add(prototype);
  const names = ownKeys(found) as string[];
  return (instance) => {
    const bound = create(prototype) as object;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const each = found[name]!;
      const how = each.get
        ? { __proto__: null, get: boundTo(each.get, instance) }
        : {
            __proto__: null,
            value: name === 'constructor' ? each.value : boundTo(each.value!, instance),
          };
      defineProperty(bound, name, how);
    }
    setPrototypeOf(instance, freeze(bound));
  };
}
