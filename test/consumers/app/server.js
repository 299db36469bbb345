/* A server that renders a page with the extension's state, and computes with the library. */
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { watchSealwright } from 'sealwright';
import { useSealwright } from 'sealwright/react';
import { check } from './check.js';

const watch = watchSealwright({ capabilities: ['seal'] });
const State = () => h('p', null, useSealwright(watch).name);

/** @returns {Promise<object>} what `check` found, and the page */
export async function render() {
  return { ...(await check()), html: renderToString(h(State)) };
}
