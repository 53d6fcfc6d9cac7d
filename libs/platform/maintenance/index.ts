export { MaintenanceModule } from './maintenance.module';
export { type ActiveMaintenance, MaintenanceModeService } from './maintenance-mode.service';
