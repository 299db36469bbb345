/* The package `pouchdb` for samples in Node: its parts that are installed, with databases in memory. */
import httpAdapter from 'pouchdb-adapter-http';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDB from 'pouchdb-core';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';

/** It takes no plugin twice, and test/servers/couch.ts may have been there before. */
const isComplete = 'replicate' in PouchDB.prototype;

export default isComplete
  ? PouchDB
  : PouchDB.plugin(httpAdapter).plugin(memoryAdapter).plugin(mapReduce).plugin(replication);
