import { type SetEnrichmentToolRequest } from './enrichment-tool.dto';

/** Example body for the API documentation. */
export const ENRICHMENT_TOOL_EXAMPLES: { set: SetEnrichmentToolRequest } = {
  set: {
    webhookUrl: 'https://api.clay.com/v3/sources/webhook/pull-in-data-from-a-webhook-1c2d',
    authToken: 'token-of-the-table',
    mapping: { title: 'jobTitle', 'company.name': 'companyName', funding: 'funding_round' },
    overwrite: false,
    enabled: true,
    waitHours: 24,
  },
};
