export { IntegrationStatusesResponse } from './integration-status.dto';
export { IntegrationsModule } from './integrations.module';
export { IntegrationsService } from './integrations.service';
