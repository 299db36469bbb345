import { createContext } from 'preact';
import type { Context } from 'preact';
import { useContext } from 'preact/hooks';

/**
 * A context without a default: its hook throws where no provider stands above.
 *
 * @param name what is missing then, for the error
 */
export function strictContext<T extends object>(
  name: string,
): readonly [provider: Context<T | null>['Provider'], hook: () => T] {
  const context = createContext<T | null>(null);
  const useStrictly = () => {
    const value = useContext(context);
    if (!value) throw new Error(`a view was rendered outside its ${name}`);
    return value;
  };
  return [context.Provider, useStrictly];
}
