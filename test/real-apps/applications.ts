import type { Application } from './application.ts';
import { DOKUWIKI, MEDIAWIKI, PHPMYADMIN } from './debian.ts';
import { DECAP_CMS, ETHERPAD_LITE, NODE_RED } from './npm.ts';
import { DJANGO, ISSO, STREAMLIT, WAGTAIL } from './pypi.ts';
import { FAUXTON, KINTO_ADMIN } from './sync.ts';

/** All of them, in the order of the table. */
export const APPLICATIONS: readonly Application[] = [
  DOKUWIKI,
  MEDIAWIKI,
  PHPMYADMIN,
  ISSO,
  STREAMLIT,
  DJANGO,
  WAGTAIL,
  NODE_RED,
  DECAP_CMS,
  ETHERPAD_LITE,
  FAUXTON,
  KINTO_ADMIN,
];
