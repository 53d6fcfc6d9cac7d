export { CrmConnectionUses } from './crm/connections/crm.connection-uses';
export { CrmConnections, type OpenCrm } from './crm/connections/crm.connections.service';
export { type FieldRule, type KeptRule } from './crm/mapping/field.rule';
export { IntegrationsModule } from './integrations.module';
