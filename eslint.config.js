import js from '@eslint/js';
import ts from 'typescript-eslint';

/*
 * A part of the layers of docs/architecture.md, checked in the editor;
 * test/repo/layers.test.ts reads the whole import graph.
 */
const nothingBut = (...folders) => [
  'error',
  {
    patterns: [
      {
        regex: `^(?!\\.\\.?/)(?!node:)|/(?:${folders.join('|')})/`,
        message: 'This layer may not import that: see docs/architecture.md, "Layers".',
      },
    ],
  },
];

const BROWSER_NAMES = ['browser', 'chrome', 'document', 'window', 'localStorage', 'location'];
const restricted = (names, message) => ['error', ...names.map((name) => ({ name, message }))];

export default ts.config(
  { ignores: ['dist/', 'node_modules/', '.cache/', 'examples/', 'bench/results/', 'artifacts/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-console': 'error',
      eqeqeq: 'error',
      curly: ['error', 'multi-line'],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-globals': restricted(
        BROWSER_NAMES,
        'src/ runs in plain Node: take it as an argument; extension/platform implements it.',
      ),
    },
  },
  {
    // The library has no other way to tell a developer that WebAssembly does not load.
    files: ['src/engine/wasm/load-url.ts'],
    rules: { 'no-console': ['error', { allow: ['warn'] }] },
  },
  {
    files: ['src/rpc/**/*.ts'],
    rules: {
      'no-restricted-imports': nothingBut(
        'crypto',
        'engine',
        'random',
        'format',
        'keys',
        'service',
      ),
    },
  },
  {
    files: ['src/crypto/**/*.ts'],
    rules: {
      'no-restricted-imports': nothingBut('engine', 'random', 'format', 'keys', 'rpc', 'service'),
      'no-restricted-globals': restricted(
        [...BROWSER_NAMES, 'crypto', 'Date', 'performance', 'setTimeout', 'process', 'WebAssembly'],
        'Layer 0 is bytes in, bytes out: no globals, no time, no randomness.',
      ),
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'site/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    // Pages and workers.
    files: ['test/consumers/app/*.js'],
    languageOptions: {
      globals: {
        Worker: 'readonly',
        addEventListener: 'readonly',
        location: 'readonly',
        navigator: 'readonly',
        postMessage: 'readonly',
      },
    },
  },
);
