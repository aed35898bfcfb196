/** A browser without a screen: it follows redirects with one cookie jar for each host. */
export interface Visited {
  /** The last address: the first one that is neither a redirect nor to be followed. */
  url: URL;
  /** Every address on the way, the last one included. */
  hops: string[];
  /** Null if the last address is a page of the console, which is not requested. */
  response: Response | null;
}

/** Ports do not separate cookies, but the servers of a test are as apart as sites are. */
const jarOf = (url: URL) => url.host;

const MAX_HOPS = 20;

export class Visitor {
  readonly cookies = new Map<string, Map<string, string>>();

  /** Requests one address, without following a redirect. */
  async request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const jar = this.cookies.get(jarOf(url)) ?? new Map<string, string>();
    this.cookies.set(jarOf(url), jar);
    const headers = new Headers(init.headers);
    const pairs = [...jar].map(([name, value]) => `${name}=${value}`);
    if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(';');
      const cut = pair!.indexOf('=');
      const [name, value] = [pair!.slice(0, cut), pair!.slice(cut + 1)];
      const isGone = value === '' || attributes.some((each) => /^ *expires=Thu, 01 Jan 1970/i.test(each));
      if (isGone) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows redirects until an answer is none, or leads to a page of the console at `home`. */
  async open(address: string | URL, home: string): Promise<Visited> {
    const hops: string[] = [];
    for (let url = new URL(address); ; ) {
      hops.push(url.href);
      const isConsole = url.host === new URL(home).host && !url.pathname.startsWith('/auth/');
      if (isConsole) return { url, hops, response: null };
      if (hops.length > MAX_HOPS) throw new Error(`redirected too often: ${hops.join(' ')}`);
      const response = await this.request(url);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return { url, hops, response };
      url = new URL(location, url);
    }
  }

  cookie(home: string, name: string): string | undefined {
    return this.cookies.get(jarOf(new URL(home)))?.get(name);
  }

  setCookie(home: string, name: string, value: string): void {
    const host = jarOf(new URL(home));
    this.cookies.set(host, (this.cookies.get(host) ?? new Map()).set(name, value));
  }
}
