export { AUDIT_ACTIONS } from './audit-actions';
export { getChanges } from './audit-changes';
export { AuditModule } from './audit.module';
export { type AuditedAct, AuditService } from './audit.service';
export { ActorResponse, toActor } from './dto/actor-response.dto';
export { AuditEntryResponse, AuditQuery } from './dto/audit.dto';
export { actorFields } from './schemas/actor-fields';
export { AUDIT_PERSONAL_DATA } from './audit-personal-data';
