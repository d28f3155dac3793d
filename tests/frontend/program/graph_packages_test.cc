// Programs of torch_geometric and ogb.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

// Trains `layers`, which `call` runs, on what `data` gives.
Workload ReadOn(const std::string& data, const std::string& layers, const std::string& call) {
  return ReadText(R"(
import torch
from torch.nn import functional as F
from torch_geometric import nn as gnn
from torch_geometric.loader import DataLoader, NeighborLoader
)" + data + R"(
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
)" + layers + R"(
    def forward(self, data):
        return )" +
                  call + R"(
net = Net()
optimizer = torch.optim.Adam(net.parameters(), 0.01)
for data in batches:
    out = net(data)
    loss = F.cross_entropy(out, data.y[:out.shape[0]])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
)");
}

const char kCora[] =
    "from torch_geometric.datasets import Planetoid\n"
    "data_set = Planetoid('data', 'Cora')\nbatches = [data_set[0]]";
const char kProteins[] =
    "from torch_geometric.datasets import TUDataset\n"
    "data_set = TUDataset('data', 'PROTEINS')\nbatches = DataLoader(data_set, batch_size=32)";

int64_t WeightsOf(const Workload& workload) {
  EXPECT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  return workload.model_size.has_value() ? workload.model_size->trainable : 0;
}

std::string InputsOf(const Workload& workload) {
  std::string text;
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kParameter) text += FormatShape(op.shape) + " ";
  }
  return text;
}

TEST(GraphPackages, ALayerOfAPublishedGraphHasItsWeightsAndItsNodes) {
  const Workload workload =
      ReadOn(kCora,
             "        self.a = gnn.GCNConv(data_set.num_features, 16)\n"
             "        self.b = gnn.GCNConv(16, data_set.num_classes)\n",
             "self.b(self.a(data.x, data.edge_index).relu(), data.edge_index)");
  EXPECT_EQ(WeightsOf(workload), 23063);
  EXPECT_THAT(InputsOf(workload), HasSubstr("f32[2708,1433]"));
  EXPECT_THAT(InputsOf(workload), HasSubstr("s64[2,10556]"));
}

TEST(GraphPackages, ABatchOfGraphsGrowsWithTheBatch) {
  const Workload workload =
      ReadOn(kProteins,
             "        self.a = gnn.GATConv(3, 8, heads=4)\n"
             "        self.b = gnn.GINConv(gnn.MLP([32, 16, 2]))\n",
             "gnn.global_mean_pool(self.b(self.a(data.x, data.edge_index), data.edge_index), "
             "data.batch)");
  EXPECT_EQ(WeightsOf(workload), 3 * 32 + 3 * 32 + 32 * 16 + 16 + 2 * 16 + 16 * 2 + 2);
  EXPECT_THAT(InputsOf(workload), HasSubstr("[39N,3]"));
  EXPECT_THAT(InputsOf(workload), HasSubstr("[2,146N]"));
}

TEST(GraphPackages, NeighboursOfABatchOfNodesAreTheMostThatThereCanBe) {
  const Workload workload = ReadOn(
      "from torch_geometric.datasets import Reddit\ndata_set = Reddit('data')\n"
      "batches = NeighborLoader(data_set[0], num_neighbors=[4, 2], batch_size=16)",
      "        self.a = gnn.SAGEConv(602, 41)\n",
      "self.a(data.x, data.edge_index)[:data.batch_size]");
  EXPECT_EQ(WeightsOf(workload), 2 * 602 * 41 + 41);
  EXPECT_THAT(InputsOf(workload), HasSubstr("f32[208,602] s64[2,192]"));
  EXPECT_THAT(NotesOfText(workload), HasSubstr("13 nodes for each are taken, the most"));
}

TEST(GraphPackages, AProgramsOwnLayerSendsItsMessages) {
  const Workload workload = ReadOn(std::string(kCora) + R"(
class Own(gnn.MessagePassing):
    def __init__(self):
        super().__init__(aggr="max")
        self.inner = torch.nn.Linear(2 * 1433, 7)
    def forward(self, x, edge_index):
        return self.propagate(edge_index, x=x)
    def message(self, x_i, x_j):
        return self.inner(torch.cat([x_i, x_j - x_i], dim=1))
)",
                                   "        self.a = Own()\n", "self.a(data.x, data.edge_index)");
  EXPECT_EQ(WeightsOf(workload), 2 * 1433 * 7 + 7);
}

TEST(GraphPackages, MoleculesOfOgbAreSumsOfEmbeddings) {
  const Workload workload = ReadOn(
      "from ogb.graphproppred import PygGraphPropPredDataset\n"
      "from ogb.graphproppred.mol_encoder import AtomEncoder\n"
      "data_set = PygGraphPropPredDataset('ogbg-molhiv')\n"
      "split = data_set.get_idx_split()\n"
      "batches = DataLoader(data_set[split['train']], batch_size=32)\n",
      "        self.a, self.b = AtomEncoder(10), torch.nn.Linear(10, 2)\n",
      "self.b(gnn.global_add_pool(self.a(data.x), data.batch))");
  EXPECT_EQ(WeightsOf(workload), 174 * 10 + 10 * 2 + 2);
}

TEST(GraphPackages, ASparseMatrixIsItsEdges) {
  const Workload workload = ReadOn(
      "import torch_geometric.transforms as T\n"
      "from ogb.nodeproppred import PygNodePropPredDataset\n"
      "data_set = PygNodePropPredDataset('ogbn-arxiv', transform=T.ToSparseTensor())\n"
      "batches = [data_set[0]]\nbatches[0].adj_t = batches[0].adj_t.to_symmetric()\n"
      "batches[0].y = batches[0].y.squeeze(1)\n",
      "        self.a = gnn.SAGEConv(128, 40)\n", "self.a(data.x, data.adj_t)");
  EXPECT_EQ(WeightsOf(workload), 2 * 128 * 40 + 40);
}

// Source: the 2,708 papers, 1,433 words, 7 classes and 5,429 citations that Cora is published with.
TEST(GraphPackages, AGraphOfTextFilesHasItsPublishedSizes) {
  const Workload workload = ReadText(R"(
import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

rows = np.genfromtxt("data/cora.content", dtype=np.dtype(str))
words = sp.csr_matrix(rows[:, 1:-1], dtype=np.float32)
names, classes = np.unique(rows[:, -1], return_inverse=True)
index = {name: i for i, name in enumerate(rows[:, 0])}
cites = np.genfromtxt("data/cora.cites", dtype=np.int32)
edges = np.array(list(map(index.get, cites.flatten())), dtype=np.int32).reshape(cites.shape)
links = sp.coo_matrix((np.ones(edges.shape[0]), (edges[:, 0], edges[:, 1])),
                      shape=(len(classes), len(classes)), dtype=np.float32)
links = links + links.T.multiply(links.T > links) - links.multiply(links.T > links)
links = (links + sp.eye(links.shape[0])).tocoo()
scale = sp.diags(np.power(np.array(links.sum(1)), -1).flatten())
links = scale.dot(links).tocoo()
links = torch.sparse.FloatTensor(torch.from_numpy(np.vstack((links.row, links.col))),
                                 torch.from_numpy(links.data), torch.Size(links.shape))
words, classes = torch.FloatTensor(np.array(words.todense())), torch.LongTensor(classes)
net = torch.nn.Linear(words.shape[1], classes.max().item() + 1)
optimizer = torch.optim.Adam(net.parameters(), 0.01)
for epoch in range(10):
    F.cross_entropy(torch.spmm(links, net(words)), classes).backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(WeightsOf(workload), 1433 * 7 + 7);
  // Both directions of each citation, and each paper itself.
  EXPECT_THAT(InputsOf(workload), HasSubstr("[2,13566]"));
}

}  // namespace
}  // namespace tilewise::program
