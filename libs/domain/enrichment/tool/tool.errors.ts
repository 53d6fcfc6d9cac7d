import { AppError, defineError } from '@platform/errors';

const NOT_CONFIGURED = defineError(
  'ENRICHMENT_TOOL_NOT_CONFIGURED',
  'conflict',
  'This workspace has no enrichment tool, or it is switched off: nobody can find out anything about people.',
  'needs-human',
);

export function toolNotConfigured(): AppError {
  return new AppError(
    NOT_CONFIGURED,
    'This workspace has no enrichment tool that is switched on; set one at PUT /v1/enrichment/tool',
  );
}
