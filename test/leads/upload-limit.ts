import { UPLOAD_RULE, type UploadRule } from '../../apps/api/src/http/upload.decorator';
import { LeadImportsController } from '../../apps/api/src/leads/lead-imports.controller';

/** Maximum size of an imported file in bytes, as declared by the route. */
export function uploadLimit(): number {
  return rule().limitBytes;
}

/**
 * Lowers the limit of the route during a test, by the same rule: an upload of a hundred megabytes takes long and
 * shows no more.
 */
export async function withUploadLimit<T>(limitBytes: number, work: () => Promise<T>): Promise<T> {
  const asDeployed = rule();
  Reflect.defineMetadata(UPLOAD_RULE, { ...asDeployed, limitBytes }, handler());
  try {
    return await work();
  } finally {
    Reflect.defineMetadata(UPLOAD_RULE, asDeployed, handler());
  }
}

function rule(): UploadRule {
  return Reflect.getMetadata(UPLOAD_RULE, handler()) as UploadRule;
}

function handler(): object {
  return LeadImportsController.prototype.import;
}
