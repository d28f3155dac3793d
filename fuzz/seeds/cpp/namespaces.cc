// Namespaces within each other, aliases and ops by their short names.
namespace a {
namespace b {
using namespace tensorflow;
namespace t = tensorflow::ops;
namespace c {
auto x = t::Conv2D(s, y, z);
}
}  // namespace b
namespace tensorflow {
ops::Tile(s, x, m);
}
}  // namespace a
