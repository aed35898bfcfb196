import { whenReachable } from '../graphql/connection.ts';

/** Loads a module. While the service is down, the screen that is shown stays; the module is loaded afterwards. */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // After a new release the file does not exist any more.
    if (!(await whenReachable())) throw error;
    return load();
  }
}
