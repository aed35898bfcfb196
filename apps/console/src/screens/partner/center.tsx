import { getRouteApi } from '@tanstack/react-router';
import { BackLink } from '../../ui/link.tsx';
import { CenterDetail } from '../centers/center-detail.tsx';

const route = getRouteApi('/inside/partner/centers/$id');

export default function PartnerCenterScreen() {
  const { id } = route.useParams();
  return <CenterDetail id={Number(id)} back={<BackLink to="/partner/centers" label="Centers" />} />;
}
