import sjcl from 'sjcl-joined';
import { runAesSuite, type Row } from './aes-suite.ts';
import { nodeCrypto } from './contenders/node-crypto.ts';
import type { Sjcl } from './contenders/sjcl.ts';
import type { Message, Order } from './order.ts';

/* The suite inside a process of its own; bench/run-in-node.ts sends it the order. */
const send = (message: Message) => process.send!(message);

process.on('message', (order: Order) => {
  const report = (row: Row, progress: number) => void send({ row, progress });
  runAesSuite(sjcl as Sjcl, { ...order, alsoBeside: [nodeCrypto], report }).then(
    () => send({ done: true }),
    (error: unknown) => send({ error: String(error) }),
  );
});
