import { UPLOAD_RULE, type UploadRule } from '../../apps/api/src/http/upload.decorator';
import { LeadImportsController } from '../../apps/api/src/leads/lead-imports.controller';

/** Bytes that an imported file may have, as the route says. */
export function uploadLimit(): number {
  return rule().limitBytes;
}

/** The route takes files of so many bytes meanwhile, by the same rule: a hundred megabytes cost more than they show. */
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
