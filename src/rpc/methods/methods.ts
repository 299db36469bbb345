/*
 * The table of methods: who may call, what the broker must find first, how a call is repeated after
 * a disconnect, the policy columns, and the shapes of parameters and results. Every type of client,
 * server and service derives from it, and a method that is not here does not exist. Times are ms
 * since the epoch. The rows are in several files, because a page's script contains only its own.
 */
import { BULK_METHODS } from './bulk.ts';
import { GUARD_METHODS } from './guard.ts';
import type { NameIn, ParamsIn, ResultIn } from './method.ts';
import { MOVEMENT_METHODS } from './movements.ts';
import { PAGE_METHODS } from './page.ts';
import { UI_METHODS } from './ui.ts';

/** All rows that the background serves. */
export const METHODS = Object.freeze({
  ...PAGE_METHODS,
  ...BULK_METHODS,
  ...MOVEMENT_METHODS,
  ...GUARD_METHODS,
  ...UI_METHODS,
});

/** The type of the table of methods. */
export type Methods = typeof METHODS;
/** The name of any method that the background serves. */
export type MethodName = NameIn<Methods>;
/** The name of a method that only the extension's own pages may call. */
export type UiMethod = NameIn<typeof UI_METHODS>;
/** The parameters of a method. */
export type ParamsOf<M extends MethodName> = ParamsIn<Methods, M>;
/** The result of a method. */
export type ResultOf<M extends MethodName> = ResultIn<Methods, M>;

export type { Access, Method, Needs, Replay } from './method.ts';
export type { Grant, GrantRequest, KeyInfo } from './page.ts';
