export { type User } from './dto/user.dto';
export { UsersModule } from './users.module';
export { UsersService } from './users.service';
