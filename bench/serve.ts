import type { LoadWasm } from '../src/engine/wasm/loader.ts';
import type { MakeRows, Message, Order } from './order.ts';
import { rowName, type RowPlan } from './row.ts';
import { prepareAll, runRow } from './run-rows.ts';

/** Carries out an order, in a process or a worker of its own, and tells what happens. */
export async function serve(
  rows: MakeRows,
  order: Order,
  loadWasm: LoadWasm,
  tell: (message: Message) => void,
): Promise<void> {
  try {
    const plans = select(await rows({ largest: order.largest, loadWasm }), order.only);
    if (order.list === true) tell({ listed: await list(plans) });
    else await measureAll(plans, order, tell);
    tell({ done: true });
  } catch (error) {
    tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function measureAll(plans: RowPlan[], order: Order, tell: (message: Message) => void) {
  for (const [index, plan] of plans.entries()) {
    const row = await runRow(plan, order);
    if (row) tell({ row, progress: (index + 1) / plans.length });
  }
}

function select(plans: RowPlan[], only: Order['only']): RowPlan[] {
  if (!only) return plans;
  return plans.flatMap((plan) => {
    const names = only[rowName(plan)];
    if (!names) return [];
    // Our engines stay, because they confirm each other's answers.
    const entries = plan.entries.filter(
      ({ name, kind }) => kind === 'ours' || names.includes(name),
    );
    return { ...plan, entries };
  });
}

async function list(plans: readonly RowPlan[]): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {};
  for (const plan of plans) {
    names[rowName(plan)] = (await prepareAll(plan.entries)).map(({ name }) => name);
  }
  return names;
}
