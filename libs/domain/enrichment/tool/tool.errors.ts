import { AppError, defineError } from '@platform/errors';

const NOT_CONFIGURED = defineError(
  'ENRICHMENT_TOOL_NOT_CONFIGURED',
  'conflict',
  'This workspace has no enabled enrichment tool, so that people cannot be enriched.',
  'needs-human',
);

export function toolNotConfigured(): AppError {
  return new AppError(
    NOT_CONFIGURED,
    'This workspace has no enabled enrichment tool; set one at PUT /v1/enrichment/tool',
  );
}
