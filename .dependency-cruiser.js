/** The import rules (docs/engineers/architecture.md). A domain imports only domains of a lower rank. */
const RANKS = [
  ['access'],
  ['audit', 'events'],
  ['credits'],
  ['identity'],
  ['suppressions', 'mailboxes', 'oauth'],
  ['sends'],
  ['campaigns'],
  ['leads'],
  ['tracking'],
  ['inbox'],
  ['sending'],
  ['protection', 'warmup', 'deliverability', 'enrichment', 'agents', 'chat', 'crm'],
  ['analytics', 'webhooks', 'reports', 'integrations', 'privacy', 'migrations', 'recovery'],
  ['assembly'],
];

const TESTS = String.raw`(\.spec\.m?ts$|/testing/)`;

const ranks = RANKS.slice(0, -1).map((lower, index) => ({
  name: `rank-${index}-${lower.join('-')}-imports-downwards`,
  comment: 'A lower domain tells a higher one something through an event or a port, it never imports it.',
  severity: 'error',
  from: { path: `^libs/domain/(${lower.join('|')})/`, pathNot: TESTS },
  to: {
    path: `^libs/domain/(${RANKS.slice(index + 1)
      .flat()
      .join('|')})/`,
  },
}));

module.exports = {
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules|\\.local|clients/typescript/dist)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types', 'import'],
    },
  },
  forbidden: [
    ...ranks,
    {
      name: 'every-domain-has-a-rank',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^libs/domain/', pathNot: `^libs/domain/(${RANKS.flat().join('|')})/` },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-never-import-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|test|tools)/' },
    },
    {
      name: 'apps-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'across-libraries-only-through-the-index',
      severity: 'error',
      from: { path: '^(?:apps|test)/' },
      to: {
        path: '^libs/[^/]+/[^/]+/.+',
        pathNot: '^libs/(?:[^/]+/[^/]+/(?:testing/)?index\\.ts$|testing/index\\.ts$)',
      },
    },
    {
      name: 'between-libraries-only-through-the-index',
      severity: 'error',
      from: { path: '^libs/([^/]+)/([^/]+)/' },
      to: {
        path: '^libs/[^/]+/[^/]+/.+',
        pathNot: ['^libs/$1/$2/', '^libs/[^/]+/[^/]+/(?:testing/)?index\\.ts$', '^libs/testing/'],
      },
    },
    {
      name: 'inside-a-library-never-its-own-index',
      severity: 'error',
      from: { path: '^libs/([^/]+)/([^/]+)/', pathNot: TESTS },
      to: { path: '^libs/$1/$2/index\\.ts$' },
    },
    {
      name: 'platform-knows-no-adapter-and-no-domain',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^libs/(adapters|domain)/' },
    },
    {
      name: 'adapters-know-no-domain',
      severity: 'error',
      from: { path: '^libs/adapters/' },
      to: { path: '^libs/domain/' },
    },
    {
      name: 'test-helpers-are-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '^libs/testing/'] },
      to: { path: '^(libs/testing/|libs/.+/testing/|test/|tools/)' },
    },
    {
      name: 'clients-know-the-api-only',
      comment: 'They are packed and run elsewhere, where there is neither this house nor Node.',
      severity: 'error',
      from: { path: '^clients/[^/]+/src/', pathNot: TESTS },
      to: { pathNot: '^clients/' },
    },
    {
      name: 'the-house-does-not-ask-itself',
      comment: 'The client of the API is for tests, tools and what runs beside the platform.',
      severity: 'error',
      from: { path: '^(apps/(api|worker|cli)|libs)/', pathNot: TESTS },
      to: { path: '^clients/' },
    },
    {
      name: 'no-http-in-libs',
      comment: 'Headers, status codes and routes are the business of apps/api.',
      severity: 'error',
      from: { path: '^libs/(domain|adapters)/', pathNot: TESTS },
      to: { path: '(^|node_modules/)(express|@types/express|@nestjs/platform-express)(/|$)' },
    },
    {
      name: 'no-models-in-apps',
      severity: 'error',
      from: { path: '^apps/', pathNot: TESTS },
      to: { path: 'node_modules/(mongoose|@nestjs/mongoose)/' },
    },
    {
      name: 'sockets-only-in-adapters-and-outbound',
      comment:
        'Types are free. The operator’s server listens and calls nobody; two files want STATUS_CODES only (the spec looks).',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/(adapters|platform/outbound)/',
          '^libs/platform/observability/ops-server\\.service\\.ts$',
          '^apps/api/src/http/(client\\.errors|error-response)\\.ts$',
          TESTS,
          '^libs/testing/',
        ],
      },
      to: {
        path: '(node_modules/undici/|^(node:)?(net|tls|dgram|http|https|http2)$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(autocannon)$' } },
    {
      name: 'nothing-undeclared',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '^libs/testing/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
};
