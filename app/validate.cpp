int main_placeholder();
