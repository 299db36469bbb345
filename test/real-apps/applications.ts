import type { Application } from './application.ts';
import { DOKUWIKI, MEDIAWIKI } from './debian.ts';
import { NODE_RED } from './npm.ts';
import { DJANGO, ISSO, STREAMLIT, WAGTAIL } from './pypi.ts';

/** All of them, in the order of the table. */
export const APPLICATIONS: readonly Application[] = [
  DOKUWIKI,
  MEDIAWIKI,
  ISSO,
  STREAMLIT,
  DJANGO,
  WAGTAIL,
  NODE_RED,
];
